#include "report/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/cpu_set.h"
#include "model/ratio.h"
#include "report/core_time.h"
#include "report/energy.h"
#include "report/heading.h"
#include "report/table.h"

namespace poprt {
namespace {

constexpr double kTenths = 1000;

// The row of this bar; where it is new, it comes behind the row `place`.
size_t row_of(const Bar& bar, size_t place, size_t columns,
              const TableCell& none, Table* table) {
  const auto found = std::ranges::find(table->rows, bar.key, &TableRow::key);
  if (found != table->rows.end()) {
    return static_cast<size_t>(found - table->rows.begin());
  }
  TableRow row = {bar.label, std::vector<TableCell>(columns, none), 0, bar.key};
  table->rows.insert(table->rows.begin() + static_cast<ptrdiff_t>(place) + 1,
                     std::move(row));
  return place + 1;
}

// In one line: some MPI libraries describe themselves in many.
std::string in_a_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string joined(const std::vector<std::string>& words,
                   std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (word.empty()) continue;
    text += (text.empty() ? std::string() : std::string(between)) + word;
  }
  return text;
}

std::string batch_job(const BatchJob& job) {
  const auto named = [](const char* name, const std::string& value) {
    return value.empty() ? "" : name + (" " + value);
  };
  return joined({named(job.system.c_str(), job.id), named("step", job.step),
                 named("name", job.name), named("queue", job.queue),
                 named("nodes", job.nodes)},
                ", ");
}

}  // namespace

Table core_time_table(const JobReport& report, const TableOptions& options) {
  std::vector<const RegionReport*> regions = shown_regions(report, options);
  std::erase_if(regions, [](const RegionReport* region) {
    return core_ns(region->totals) <= 0;
  });
  Table table = {Table::Kind::kRegions};
  if (regions.empty()) return table;
  table.title = "Where the core time went, % of each region's";
  table.rows = {{"core time"}};
  const TableCell none = {CellUnit::kPercent, 0};
  for (size_t i = 0; i < regions.size(); ++i) {
    const RegionTotals& totals = regions[i]->totals;
    table.columns.push_back({totals.name});
    table.rows.front().cells.push_back(
        {CellUnit::kNs, static_cast<double>(core_ns(totals))});
    size_t row = 0;
    for (const Bar& bar : core_time_bars(report, totals).bars) {
      row = row_of(bar, row, regions.size(), none, &table);
      // As the bars show it: they add up.
      table.rows[row].cells[i].value = bar.tenths / kTenths;
    }
  }
  return table;
}

Table host_table(const JobReport& report) {
  const std::vector<HostShare>& hosts = report.totals.hosts;
  Table table;
  if (is_imported(report)) return table;
  const bool has_energy = std::ranges::any_of(
      hosts, [](const HostShare& host) { return host.energy_uj > 0; });
  const bool has_memory = std::ranges::any_of(hosts, [](const HostShare& host) {
    return host.peak_memory_sum_bytes > 0;
  });
  const bool has_cores = std::ranges::any_of(
      hosts, [](const HostShare& host) { return host.cpus.size() > 0; });
  table.title = "Hosts";
  table.columns = {{"processes"}, {"threads"}};
  if (has_energy) {
    table.columns.push_back({"energy", "joules of its processors", "energy"});
    table.columns.push_back({"power", "watts, mean over the run"});
  }
  if (has_memory) {
    table.columns.push_back(
        {"peak memory", "bytes, sum of the processes' largest", "peak_memory"});
  }
  if (has_cores) {
    table.columns.push_back({.name = "cores",
                             .meaning = "that its processes might use",
                             .is_text = true});
  }
  const double time_s = seconds_of(report);
  const auto known = [](double value) {
    return value > 0 ? value : kUndefined;
  };
  for (const HostShare& host : hosts) {
    TableRow row = {host.name + (host.energy_is_least ? " (at least)" : "")};
    row.cells = {{CellUnit::kCount, static_cast<double>(host.processes)},
                 {CellUnit::kCount, known(static_cast<double>(host.threads))}};
    if (has_energy) {
      const double joules = known(energy_j(host));
      row.cells.push_back({CellUnit::kAmount, joules});
      row.cells.push_back({CellUnit::kCount, ratio(joules, time_s)});
    }
    if (has_memory) {
      row.cells.push_back(
          {CellUnit::kAmount,
           known(static_cast<double>(host.peak_memory_sum_bytes))});
    }
    if (has_cores) {
      row.cells.push_back(
          {.text = host.cpus.size() > 0 ? cpu_list(host.cpus) : "-"});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

FactList quality_facts(const JobReport& report) {
  FactList list;
  if (is_imported(report)) return list;
  const Quality& quality = report.totals.quality;
  const int64_t core = job_core_ns(report);
  list.facts = {
      {"overhead", core > 0 ? fmt::format("{}, {} % of the core time",
                                          core_seconds(quality.overhead_ns),
                                          percent(share_of_job(
                                              report, quality.overhead_ns)))
                            : "unknown"},
      {"events", fmt::format("{} measured", quality.events)},
  };
  // What did not happen is not worth a line.
  const auto add_if = [&](bool has_happened, const char* label,
                          std::string text) {
    if (has_happened) list.facts.push_back({label, std::move(text)});
  };
  add_if(quality.closure_error_ns != 0, "closure",
         fmt::format("{} ns: the largest difference between a thread's elapsed "
                     "time and the sum of its states",
                     quality.closure_error_ns));
  add_if(quality.lost_clocks != 0, "clocks",
         fmt::format("{} of messages did not come", quality.lost_clocks));
  add_if(quality.foreign_threads != 0, "other threads",
         fmt::format("{} that OpenMP does not know called MPI",
                     quality.foreign_threads));
  add_if(quality.regions_dropped + quality.starts_without_stop +
                 quality.stops_without_start !=
             0,
         "regions",
         fmt::format("{} dropped; {} without stop, {} without start",
                     quality.regions_dropped, quality.starts_without_stop,
                     quality.stops_without_start));
  return list;
}

FactList provenance_facts(const JobReport& report,
                          const std::string& run_file) {
  const RunContext& context = report.context;
  FactList list;
  const auto add = [&](const char* name, std::string text) {
    if (!text.empty()) list.facts.push_back({name, std::move(text)});
  };
  add("run file", run_file);
  add("command", joined(context.command, " "));
  add("started", context.start_time);
  add("shape", shape(report.totals));
  add("MPI",
      joined({in_a_line(context.mpi_library), context.mpi_thread_level}, ", "));
  add("OpenMP", in_a_line(context.openmp_runtime));
  add("batch job", batch_job(context.job));
  add("imported from", context.imported_from);
  add("measured by",
      context.measured_by.empty() ? "" : "poprt " + context.measured_by);
  add("clock", context.clock);
  std::vector<std::string> variables;
  for (const Metadata& each : context.environment) {
    variables.push_back(each.key + "=" + each.value);
  }
  add("environment", joined(variables, " "));
  add("git", joined({context.checkout.commit, context.checkout.branch}, ", "));
  for (const Metadata& each : report.totals.metadata) {
    list.facts.push_back({each.key, each.value});
  }
  return list;
}

std::vector<Block> details(const JobReport& report, const std::string& run_file,
                           const TableOptions& options) {
  std::vector<Block> blocks;
  const auto add = [&](const char* title, Block block, bool is_known) {
    if (!is_known) return;
    blocks.emplace_back(Section{title});
    blocks.push_back(std::move(block));
  };
  Table times = core_time_table(report, options);
  const bool has_times = !times.rows.empty();
  add("Core time by region", std::move(times), has_times);
  Table hosts = host_table(report);
  const bool has_hosts = !hosts.rows.empty();
  add("Machine", std::move(hosts), has_hosts);
  FactList quality = quality_facts(report);
  const bool has_quality = !quality.facts.empty();
  add("Data quality", std::move(quality), has_quality);
  add("Provenance", provenance_facts(report, run_file), true);
  return blocks;
}

}  // namespace poprt
