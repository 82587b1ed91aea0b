#include "run_file/reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/device_members.h"
#include "model/members.h"
#include "run_file/input.h"
#include "run_file/json_document.h"
#include "run_file/key_reader.h"
#include "run_file/keys.h"
#include "run_file/schema.h"

namespace poprt {
namespace {

// The constructs in a report: 20 of each kind, and one row for the others.
using Place = std::tuple<std::string, uint64_t, bool>;
using Locations = std::map<Place, std::string>;

Place place_of(const ConstructTotals& c) {
  return {c.module, c.offset, c.is_task};
}

// Complains about a file whose keys may mean something else. A later minor
// version only adds keys, which are not asked for.  Returns the minor version.
int checked_version(const Cursor& file) {
  file.expect(file.has("schema"), "is not a run file of poprt");
  if (!file.ok()) return 0;
  file["schema"].expect(file["schema"].string() == kSchema,
                        "is not \"poprt.run\": not a run file of poprt");
  const Cursor version = file["schema_version"];
  const std::string text = version.string();
  unsigned major = 0;
  unsigned minor = 0;
  const char* const end = text.data() + text.size();
  const auto dot = std::from_chars(text.data(), end, major);
  const bool has_minor =
      dot.ec == std::errc() && dot.ptr != end && *dot.ptr == '.';
  const auto rest = has_minor ? std::from_chars(dot.ptr + 1, end, minor) : dot;
  version.expect(has_minor && rest.ec == std::errc() && rest.ptr == end,
                 "is not a version (\"" + schema_version() + "\")");
  if (major != kSchemaMajor) {
    const bool is_told = file.has("tool") && file["tool"].has("version");
    const std::string which =
        is_told ? "poprt " + printable(file["tool"]["version"].string()) +
                      ", which has written it"
        : major > kSchemaMajor ? "a newer one"
                               : "an older one";
    version.expect(false, "is " + text + "; this poprt reads " +
                              std::to_string(kSchemaMajor) + ".x: use " +
                              which);
  }
  return static_cast<int>(minor);
}

// The file has a flag for regions with complete clocks.  The model has the
// number of full tables with the region.
void count_full_tables(const Cursor& file, JobReport* report) {
  int64_t& full_tables = report->totals.full_tables;
  bool none_complete = true;
  for (const RegionReport& region : report->regions) {
    full_tables = std::max(full_tables, region.totals.in_full_tables);
    none_complete = none_complete && !region.clocks_complete;
  }
  if (none_complete && !report->regions.empty()) ++full_tables;
  size_t i = 0;
  file["regions"].for_each([&](const Cursor& json) {
    const RegionReport& region = report->regions[i++];
    json["clocks_complete"].expect(
        clocks_complete(report->totals, region.totals) ==
            region.clocks_complete,
        "contradicts in_full_tables");
  });
}

// Windows are known by their numbers, which ascend.
void check_windows(const Cursor& file, JobReport* report) {
  const int64_t full_tables = report->totals.full_tables;
  const Cursor windows = file["windows"];
  const int64_t level = report->windows.level;
  windows["level"].expect(level < 64, "is not a level of windows");
  int64_t least = 0;
  size_t i = 0;
  windows["list"].for_each([&](const Cursor& json) {
    WindowReport& window = report->windows.list[i++];
    json["index"].expect(window.index >= least && window.index < kKeptWindows,
                         "is not the number of a further window");
    least = window.index + 1;
    window.totals.in_full_tables =
        full_tables + (window.clocks_complete ? 0 : 1);
  });
}

template <class Item>
bool is_increasing(const std::vector<Item>& items, int64_t Item::*member) {
  return std::ranges::adjacent_find(items, [&](const Item& a, const Item& b) {
           return a.*member >= b.*member;
         }) == items.end();
}

// Sums that the model makes of these numbers must fit into 64 bits.
void expect_computable(const std::vector<ConstructReport>& constructs,
                       const Cursor& file) {
  for (const Member<ConstructTotals>& member : kConstructMembers) {
    double sum = 0;
    for (const ConstructReport& construct : constructs) {
      sum += static_cast<double>(std::abs(construct.totals.*member.value));
    }
    // The row for all others may have as much as the sum of these, with a
    // negative sign.
    file.expect(sum < 2 * static_cast<double>(kLargestInteger),
                "has parallel regions and tasks with times out of range");
  }
}

double sum_of(const LateRanks& late) {
  auto sum = static_cast<double>(late.missing_ns);
  for (const LateRank& each : late.ranks) {
    sum += static_cast<double>(each.calls) +
           static_cast<double>(each.waiting_ns) +
           static_cast<double>(each.error_ns);
  }
  return sum;
}

// The same for calls, whose lists must also be what the model makes.
void expect_computable(const std::vector<CallReport>& calls,
                       const Cursor& file) {
  double sum = 0;
  size_t i = 0;
  file["mpi_calls"].for_each([&](const Cursor& json) {
    const CallTotals& totals = calls[i++].totals;
    for (const Member<CallTotals>& member : kCallMembers) {
      sum += static_cast<double>(totals.*member.value);
    }
    for (const SizeClass& size : totals.sizes) {
      sum += static_cast<double>(size.messages);
    }
    sum += sum_of(totals.late);
    json["time_ns"].expect(totals.transfer_ns() >= 0,
                           "is less than waiting_ns and unknown_ns");
    json["message_sizes"].expect(
        is_increasing(totals.sizes, &SizeClass::below_bytes),
        "is not sorted by below_bytes");
    json["late_ranks"].expect(is_increasing(totals.late.ranks, &LateRank::rank),
                              "is not sorted by rank");
  });
  file.expect(sum < static_cast<double>(kLargestInteger),
              "has MPI calls with values out of range");
}

void expect_computable(const std::vector<ConstructSiteReport>& sites,
                       const Cursor& file) {
  double sum = 0;
  size_t i = 0;
  file["openmp_constructs"].for_each([&](const Cursor& json) {
    const ConstructSiteTotals& totals = sites[i++].totals;
    for (const Member<ConstructSiteTotals>& member : kConstructSiteMembers) {
      sum += static_cast<double>(totals.*member.value);
    }
    sum += sum_of(totals.late);
    json["time_ns"].expect(totals.time_ns >= totals.waiting_ns,
                           "is less than waiting_ns");
    json["late_threads"].expect(
        is_increasing(totals.late.ranks, &LateRank::rank),
        "is not sorted by thread");
  });
  file.expect(sum < static_cast<double>(kLargestInteger),
              "has OpenMP constructs with values out of range");
}

void expect_computable(const std::vector<DeviceTotals>& devices,
                       const Cursor& file) {
  double sum = 0;
  const auto add = [&](const char*, const int64_t& value) {
    sum += static_cast<double>(value);
  };
  for (const DeviceTotals& device : devices) {
    visit_sums(add, device);
    for (const DeviceRegion& region : device.regions) {
      visit_numbers(add, add, region);
    }
  }
  file.expect(sum < static_cast<double>(kLargestInteger),
              "has devices with values out of range");
  file.expect(are_devices_sorted(devices),
              "has devices that are not sorted by host, unit and rank, or "
              "not by the names of their regions");
  file.expect(devices.size() <= kDevicesMax, "has too many devices");
}

template <class Report, class Totals>
void take_sites(std::vector<Report>& read, Locations* locations,
                std::vector<Totals>* totals) {
  for (Report& each : read) {
    (*locations)[{each.totals.module, each.totals.offset, false}] =
        std::move(each.location);
    totals->push_back(std::move(each.totals));
  }
  std::ranges::sort(*totals,
                    [](const auto& a, const auto& b) { return before(a, b); });
}

// The report that the file was written from: metrics, and what else is not
// read, are computed anew.
JobReport computed(JobReport read) {
  JobTotals totals = std::move(read.totals);
  for (RegionReport& region : read.regions) {
    totals.regions.push_back(std::move(region.totals));
  }
  for (WindowReport& window : read.windows.list) {
    window.totals.key =
        window_key(static_cast<int>(read.windows.level), window.index);
    if (!window.bounds.empty()) {
      totals.window_bounds.push_back(
          {window.totals.key, std::move(window.bounds)});
    }
    totals.windows.push_back(std::move(window.totals));
  }
  Locations locations;
  for (auto* const list : {&read.constructs, &read.region_constructs}) {
    for (ConstructReport& construct : *list) {
      locations[place_of(construct.totals)] = std::move(construct.location);
      totals.constructs.push_back(std::move(construct.totals));
    }
  }
  take_sites(read.calls, &locations, &totals.calls);
  take_sites(read.construct_sites, &locations, &totals.construct_sites);
  for (PathShare& part : totals.path.parts) {
    locations[{part.module, part.offset, false}] = std::move(part.location);
  }
  const auto locate = [&](const std::vector<ConstructTotals>& constructs) {
    std::vector<std::string> names;
    for (const ConstructTotals& c : constructs) {
      names.push_back(locations[place_of(c)]);
    }
    return names;
  };
  return make_report(std::move(read.context), std::move(totals), locate);
}

}  // namespace

std::optional<JobReport> parse_run_file(std::string_view text,
                                        const std::string& name,
                                        std::string* complaint) {
  std::string what;
  const auto complain = [&](std::string_view separator) {
    *complaint = printable(name) + std::string(separator) + what;
    return std::nullopt;
  };
  const std::optional<Json> json = parse_json(text, &what);
  if (!json) return complain(":");

  const Cursor file(*json, &what);
  JobReport report{};
  const int minor = checked_version(file);
  if (file.ok()) {
    KeyReader reader(file, minor, report.totals);
    describe_run_file(reader, report);
  }
  if (file.ok()) {
    count_full_tables(file, &report);
    // Files of versions that did not look.
    if (report.totals.has_mpi && !file["run"]["mpi"].has("unwrapped_calls")) {
      report.totals.unread_programs = report.totals.processes;
    }
    if (!report.windows.list.empty()) check_windows(file, &report);
    if (!report.regions.empty()) file["run"]["ranks"].count(1);
    expect_computable(report.constructs, file);
    expect_computable(report.region_constructs, file);
    if (!report.calls.empty()) expect_computable(report.calls, file);
    expect_computable(report.totals.devices, file);
    if (!report.construct_sites.empty()) {
      expect_computable(report.construct_sites, file);
    }
  }
  if (!file.ok()) return complain(": ");
  return computed(std::move(report));
}

std::optional<JobReport> read_run_file(const std::string& path,
                                       std::string* complaint) {
  const auto text = read_input(path, complaint);
  if (!text) return std::nullopt;
  return parse_run_file(*text, input_name(path), complaint);
}

}  // namespace poprt
