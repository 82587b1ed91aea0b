#include "report/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "document/apportion.h"
#include "document/format.h"
#include "model/device_model.h"
#include "model/judge.h"
#include "model/noted.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "model/terms.h"
#include "report/repeated_rows.h"
#include "report/table.h"

namespace poprt {
namespace {

using Kind = DeviceFinding::Kind;

struct IdlePart {
  const char* label;
  const char* key;  // of the bar
  // Whether the bar is left out where it would be 0 %.
  bool is_seldom;
};
// In the order of HostPart.
constexpr IdlePart kIdleParts[kHostParts] = {
    {"idle, host computes", "device_idle_useful", false},
    {"idle, host in MPI", "device_idle_mpi", true},
    {"idle, host in OpenMP", "device_idle_openmp", true},
    {"idle, host in its calls", "device_idle_accelerator", false},
    {"idle, host not known", "device_idle_unknown", true},
};

bool is_of_devices(const Table& table, const TableRow& row) {
  const Metric* const metric = metric_of(table, row);
  return metric == nullptr ? row.key == "run_time_ns"
                           : metric->layer == Layer::kDeviceTime;
}

// As the rows of `additive` have it.
DeviceShares shares_of_run(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  return global == nullptr
             ? device_shares({}, 0)
             : device_shares_of(global->totals, global->clocks_complete);
}

const DeviceRegion* in_run(const DeviceTotals& device) {
  const auto run =
      std::ranges::find(device.regions, kGlobalRegion, &DeviceRegion::name);
  return run == device.regions.end() ? nullptr : &*run;
}

// "H100 (GPU-4f1c) on node1", as short as it tells devices of the job apart.
std::string name_of_device(const JobReport& report,
                           const DeviceTotals& device) {
  std::string name = printable(device.name);
  const std::string unit = printable(device.key.unit);
  if (name.empty()) {
    name = unit;
  } else if (name.find(unit) == std::string::npos) {
    name += " (" + unit + ")";
  }
  if (device.key.process != DeviceKey::kAnyProcess) {
    if (report.totals.processes > 1) {
      name += fmt::format(" of rank {}", device.key.process);
    }
  } else if (report.totals.hosts.size() > 1) {
    name += " on " + printable(device.key.host);
  }
  return name;
}

TableCell share_cell(int64_t ns, int64_t elapsed_ns) {
  return {CellUnit::kPercent,
          ratio(static_cast<double>(ns), static_cast<double>(elapsed_ns))};
}

TableCell kernels_cell(const DeviceKnown& known, int64_t elapsed_ns) {
  TableCell cell = share_cell(known.time.kernels_ns, elapsed_ns);
  cell.is_range = true;
  cell.least = share_cell(known.kernels.least_ns, elapsed_ns).value;
  cell.most = share_cell(known.kernels.most_ns, elapsed_ns).value;
  return cell;
}

TableCell number_cell(int64_t count) {
  return {CellUnit::kCount, static_cast<double>(count)};
}

// Less of the devices' time is not worth a word.
constexpr double kLeastLost = 0.05;
// A device that runs kernels for so much of the time is at its limit.
constexpr double kAtLimit = 0.8;

DeviceFinding idle_finding(Kind kind, const DeviceShares& shares, HostPart part,
                           const char* metric) {
  return {kind, shares.idle[static_cast<size_t>(part)], metric};
}

// The device that has most kernels.
const DeviceTotals* busiest(const JobReport& report) {
  const DeviceTotals* most = nullptr;
  int64_t most_ns = -1;
  for (const DeviceTotals& device : report.totals.devices) {
    const DeviceRegion* const run = in_run(device);
    const int64_t ns = run == nullptr ? 0 : known_of(*run).time.kernels_ns;
    if (ns <= most_ns) continue;
    most = &device;
    most_ns = ns;
  }
  return most;
}

std::string device_lost_words(const DeviceFinding& f, std::string_view verb,
                              std::string_view verb_of_several,
                              std::string_view words) {
  const bool is_one = f.devices == 1;
  return fmt::format("In {} % of {} time the {} {} {}", percent(f.lost),
                     is_one ? "its" : "their", is_one ? "device" : "devices",
                     is_one ? verb : verb_of_several, words);
}

template <Kind kKind>
bool is_kind(const DeviceFinding& finding) {
  return finding.kind == kKind;
}

template <Text kWords>
std::string device_idle_words(const DeviceFinding& finding) {
  return device_lost_words(finding, "was idle", "were idle", kWords.value);
}

constexpr Sentence<DeviceFinding> kDeviceSentences[] = {
    {"device_unequal", is_kind<Kind::kUnequal>,
     [](const DeviceFinding& f) {
       return fmt::format(
           "The devices have unequal work, which costs {} % of their time: {} "
           "has most.",
           percent(f.lost), f.device);
     }},
    {"device_host_computes", is_kind<Kind::kHostComputes>,
     device_idle_words<
         "while the host computed: launch before that, or give it to "
         "the device.">},
    {"device_host_in_mpi", is_kind<Kind::kHostInMpi>,
     device_idle_words<
         "while the host was in MPI: launch before that what does not "
         "need the messages.">},
    {"device_host_in_openmp", is_kind<Kind::kHostInOpenMp>,
     device_idle_words<
         "while the host's threads were in OpenMP, or had no work.">},
    {"device_host_in_calls", is_kind<Kind::kHostInCalls>,
     device_idle_words<"while the host was in calls to devices: it launches, "
                       "allocates, or waits for one operation at a time.">},
    {"device_copies", is_kind<Kind::kCopies>,
     [](const DeviceFinding& f) {
       return device_lost_words(
           f, "copied", "copied",
           "and computed nothing: move less, or copy while "
           "kernels run.");
     }},
    {"device_shared", is_kind<Kind::kShared>,
     [](const DeviceFinding& f) {
       return fmt::format(
           "{} is at its limit, and {} ranks share it: they wait for one "
           "another's kernels.",
           f.device, f.ranks);
     }},
};

// What is said of devices of CUDA is said beside their rows, too.
void add_unverified(const JobReport& report, Table* table) {
  if (std::ranges::any_of(report.totals.quality.notes,
                          is_noted<"cuda_unverified">)) {
    table->notes.push_back(noted<"cuda_unverified">() + ".");
  }
}

}  // namespace

Bars device_time_bars(const JobReport& report) {
  const DeviceShares shares = shares_of_run(report);
  Bars result;
  if (std::isnan(shares.kernels)) return result;
  const auto add = [&](const char* label, const char* key, double part,
                       bool is_seldom) {
    if (is_seldom && part < kLeastShown) return;
    result.bars.push_back({label, std::clamp(part, 0.0, 1.0), 0, key});
  };
  add("kernels", "device_kernels", shares.kernels, false);
  add("copies", "device_copies", shares.copies, false);
  add("graphs", "device_graphs", shares.graphs, true);
  for (size_t i = 0; i < kHostParts; ++i) {
    add(kIdleParts[i].label, kIdleParts[i].key, shares.idle[i],
        kIdleParts[i].is_seldom);
  }
  add("not started or ended", "device_outside", shares.outside, true);
  std::vector<double> parts;
  for (const Bar& bar : result.bars) parts.push_back(bar.part);
  const std::vector<int> tenths = apportioned(parts, 1000);
  for (size_t i = 0; i < tenths.size(); ++i) result.bars[i].tenths = tenths[i];
  const auto count = static_cast<int64_t>(report.totals.devices.size());
  result.title = fmt::format("Where {} x {} went", counted(count, "device"),
                             duration(global_region(report)->totals.all_ns));
  return result;
}

Table device_table(const JobReport& report, const TableOptions& options) {
  if (report.totals.devices.empty()) return {};
  Table table = model_table(report, Model::kTalp, options);
  std::erase_if(table.rows, [&](const TableRow& row) {
    return !is_of_devices(table, row);
  });
  table.title = options.view == View::kLoss
                    ? "Devices, losses in % of their time"
                    : "Devices, % of run time";
  if (table.last_is_apart) table.apart = "lost: % of the devices' time";
  table.notes.clear();
  return table;
}

Table device_list(const JobReport& report, size_t most) {
  Table table;
  table.title = "Devices, kernels, copies and idle in % of the run time";
  table.key = "devices";
  table.columns = {
      {"ranks"}, {"kernels"}, {"copies"}, {"idle"}, {"operations"}};
  std::vector<const DeviceTotals*> devices;
  bool has_graphs = false;
  bool has_unknown = false;
  for (const DeviceTotals& device : report.totals.devices) {
    const DeviceRegion* const run = in_run(device);
    if (run == nullptr) continue;
    devices.push_back(&device);
    has_graphs = has_graphs || known_of(*run).time.graphs_ns > 0;
    has_unknown = has_unknown || run->unknown_operations > 0;
  }
  if (has_graphs) {
    table.columns.insert(table.columns.begin() + 3,
                         {"graphs",
                          "CUDA graphs and the like, of which only "
                          "begin and end are known"});
  }
  if (has_unknown) {
    table.columns.push_back({"unknown",
                             "operations without times, which are "
                             "in no other number"});
  }
  std::sort(devices.begin(), devices.end(),
            [](const DeviceTotals* a, const DeviceTotals* b) {
              const int64_t a_ns = known_of(*in_run(*a)).time.kernels_ns;
              const int64_t b_ns = known_of(*in_run(*b)).time.kernels_ns;
              return a_ns != b_ns ? a_ns > b_ns : a->key < b->key;
            });
  const size_t shown = std::min(devices.size(), most);
  for (size_t i = 0; i < shown; ++i) {
    const DeviceRegion& run = *in_run(*devices[i]);
    const DeviceKnown known = with_doubts(known_of(run), *devices[i], run);
    const int64_t elapsed_ns = run.elapsed_ns;
    TableRow row = {name_of_device(report, *devices[i])};
    row.cells = {number_cell(devices[i]->processes),
                 kernels_cell(known, elapsed_ns),
                 share_cell(known.time.copies_ns, elapsed_ns)};
    if (has_graphs) {
      row.cells.push_back(share_cell(known.time.graphs_ns, elapsed_ns));
    }
    row.cells.push_back(share_cell(known.time.idle_sum_ns(), elapsed_ns));
    row.cells.push_back(number_cell(run.operations));
    if (has_unknown) row.cells.push_back(number_cell(run.unknown_operations));
    table.rows.push_back(std::move(row));
  }
  if (devices.size() > shown) {
    table.more =
        fmt::format("and {} more in the run file", devices.size() - shown);
  }
  add_unverified(report, &table);
  if (report.totals.devices_left_out > 0) {
    table.notes.push_back(
        fmt::format("{} more were used, for which there was no room.",
                    counted(report.totals.devices_left_out, "device")));
  }
  return table;
}

Table device_launches(const JobReport& report, size_t most) {
  Table table;
  table.title = "Kernels of devices, by region";
  table.key = "device_launches";
  table.columns = {
      {"launched",
       "time of the kernels that were launched in the region, "
       "whenever they ran"},
      {"ran", "time of devices with kernels while the region was open"},
      {"operations", "launched in the region"}};
  struct Sums {
    std::string name;
    int64_t launched_ns = 0;
    int64_t ran_ns = 0;
    int64_t operations = 0;
  };
  std::vector<Sums> regions;
  for (const RegionReport& region : report.regions) {
    Sums sums = {region.totals.name};
    for (const DeviceKnown& known : region.totals.devices) {
      sums.ran_ns += known.time.kernels_ns;
    }
    for (const DeviceTotals& device : report.totals.devices) {
      const auto own =
          std::ranges::find(device.regions, sums.name, &DeviceRegion::name);
      if (own == device.regions.end()) continue;
      sums.launched_ns += own->launched_kernels_ns;
      sums.operations += own->operations;
    }
    const bool has_any = sums.operations > 0 || sums.ran_ns > 0;
    if (sums.name != kGlobalRegion && has_any) regions.push_back(sums);
  }
  std::sort(regions.begin(), regions.end(), [](const Sums& a, const Sums& b) {
    return a.launched_ns != b.launched_ns ? a.launched_ns > b.launched_ns
                                          : a.name < b.name;
  });
  for (size_t i = 0; i < std::min(regions.size(), most); ++i) {
    const Sums& sums = regions[i];
    table.rows.push_back(
        {sums.name,
         {{CellUnit::kNs, static_cast<double>(sums.launched_ns)},
          {CellUnit::kNs, static_cast<double>(sums.ran_ns)},
          number_cell(sums.operations)}});
  }
  if (regions.size() > most) {
    table.more =
        fmt::format("and {} more in the run file", regions.size() - most);
  }
  return table;
}

void set_device_range(const RegionReport& region, const Metric& metric,
                      TableCell* cell) {
  if (metric.key != std::string_view("device_parallel_efficiency") ||
      std::isnan(metric.value(region.metrics))) {
    return;
  }
  const RegionTotals& totals = region.totals;
  const DeviceEfficiencyRange range = device_efficiency_range(
      totals.devices,
      metric.model == Model::kTalp ? totals.elapsed_max_ns : totals.all_ns);
  cell->is_range = true;
  cell->least = range.least;
  cell->most = range.most;
}

void add_device_notes(const JobReport& report, Model model, Table* table) {
  if (report.totals.devices.empty() ||
      (model != Model::kTalp && model != Model::kAdditive)) {
    return;
  }
  table->notes.push_back(fmt::format(
      "Device rows are of the time of {}, and so is what they lost.",
      counted(static_cast<int64_t>(report.totals.devices.size()), "device")));
  add_unverified(report, table);
  const auto is_shared = [](const DeviceTotals& device) {
    return device.processes > 1;
  };
  if (model == Model::kTalp &&
      std::ranges::any_of(report.totals.devices, is_shared)) {
    table->notes.emplace_back(
        "Ranks share a device. TALP itself prints other device rows then: it "
        "counts the rank with most kernels, not all of them.");
  }
}

DeviceFinding device_finding(const JobReport& report) {
  const DeviceShares shares = shares_of_run(report);
  if (std::isnan(shares.kernels) || is_red(report)) return {};
  const DeviceTotals* const first = busiest(report);
  const RegionReport& global = *global_region(report);
  // What is lost by unequal devices is idle time of some of these, too.
  DeviceFinding candidates[] = {
      {Kind::kUnequal, global.losses.talp.device_load_balance,
       "talp.device_load_balance", name_of_device(report, *first)},
      idle_finding(Kind::kHostComputes, shares, HostPart::kUseful,
                   "additive.device_host_work_efficiency"),
      idle_finding(Kind::kHostInMpi, shares, HostPart::kMpi,
                   "additive.device_mpi_efficiency"),
      idle_finding(Kind::kHostInOpenMp, shares, HostPart::kOpenMp,
                   "additive.device_openmp_efficiency"),
      idle_finding(Kind::kHostInCalls, shares, HostPart::kAccelerator,
                   "additive.device_call_efficiency"),
      {Kind::kCopies, shares.copies, "additive.device_copy_efficiency"},
  };
  const auto at_limit = std::ranges::find_if(
      report.totals.devices, [](const DeviceTotals& device) {
        const DeviceRegion* const run = in_run(device);
        return device.processes > 1 && run != nullptr &&
               ratio(static_cast<double>(known_of(*run).time.kernels_ns),
                     static_cast<double>(run->elapsed_ns)) >= kAtLimit;
      });
  if (at_limit != report.totals.devices.end()) {
    return {Kind::kShared, 1 - shares.kernels,
            "additive.device_parallel_efficiency",
            name_of_device(report, *at_limit), at_limit->processes};
  }
  DeviceFinding largest;
  const auto devices = static_cast<int64_t>(report.totals.devices.size());
  for (DeviceFinding& each : candidates) {
    if (each.lost >= kLeastLost && each.lost > largest.lost) {
      largest = std::move(each);
      largest.devices = devices;
    }
  }
  return largest;
}

std::span<const Sentence<DeviceFinding>> device_sentences() {
  return kDeviceSentences;
}

}  // namespace poprt
