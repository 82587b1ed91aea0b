#include "report/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/ratio.h"
#include "report/format.h"

namespace poprt {
namespace {

constexpr size_t kHostsNamed = 4;

double seconds(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return kUndefined;
  return static_cast<double>(global->totals.elapsed_max_ns) / 1e9;
}

double joules(const HostShare& host) {
  return static_cast<double>(host.energy_uj) / 1e6;
}

std::string text_of(double energy_j, double time_s) {
  const std::string number = with_prefix(energy_j);
  const bool has_prefix = number.find(' ') != std::string::npos;
  return fmt::format("{}{}J, {:.0f} W", number, has_prefix ? "" : " ",
                     ratio(energy_j, time_s));
}

}  // namespace

double job_energy_j(const JobReport& report) {
  double sum = 0;
  for (const HostShare& host : report.totals.hosts) {
    if (host.energy_uj == 0 || host.energy_is_least) return kUndefined;
    sum += joules(host);
  }
  return report.totals.hosts.empty() ? kUndefined : sum;
}

double job_power_w(const JobReport& report) {
  return ratio(job_energy_j(report), seconds(report));
}

std::string energy_line(const JobReport& report) {
  const double time_s = seconds(report);
  std::vector<std::string> known;
  bool has_least = false;
  for (const HostShare& host : report.totals.hosts) {
    if (host.energy_uj == 0) continue;
    has_least = has_least || host.energy_is_least;
    known.push_back(fmt::format("{} {}{}", shortened(printable(host.name), 30),
                                host.energy_is_least ? "at least " : "",
                                text_of(joules(host), time_s)));
  }
  const size_t count = report.totals.hosts.size();
  if (known.empty()) return "";
  std::string hosts = some_of(known, kHostsNamed, "; ");
  if (known.size() < count) {
    hosts += fmt::format("; not known of {} of {}", count - known.size(),
                         counted(static_cast<int64_t>(count), "host"));
  }
  if (has_least) {
    hosts +=
        " (a counter may have begun anew unseen: no event came in between)";
  }
  const double all = job_energy_j(report);
  return std::isnan(all) || count == 1 ? hosts
                                       : text_of(all, time_s) + "; " + hosts;
}

Table host_table(const JobReport& report) {
  const std::vector<HostShare>& hosts = report.totals.hosts;
  const bool has_energy = std::ranges::any_of(
      hosts, [](const HostShare& host) { return host.energy_uj > 0; });
  const bool has_memory = std::ranges::any_of(hosts, [](const HostShare& host) {
    return host.peak_memory_sum_bytes > 0;
  });
  Table table;
  if (!has_energy && !has_memory) return table;
  table.title = "Hosts";
  table.columns = {{"processes"}, {"threads"}};
  if (has_energy) {
    table.columns.push_back({"energy", 0, false, "joules of its processors"});
    table.columns.push_back({"power", 0, false, "watts, mean over the run"});
  }
  if (has_memory) {
    table.columns.push_back(
        {"peak memory", 0, false, "bytes, sum of the processes' largest"});
  }
  const double time_s = seconds(report);
  for (const HostShare& host : hosts) {
    const auto known = [](double value) {
      return value > 0 ? value : kUndefined;
    };
    TableRow row = {host.name + (host.energy_is_least ? " (at least)" : "")};
    row.cells = {{CellUnit::kCount, static_cast<double>(host.processes)},
                 {CellUnit::kCount, static_cast<double>(host.threads)}};
    if (has_energy) {
      const double energy_j = known(joules(host));
      row.cells.push_back({CellUnit::kAmount, energy_j});
      row.cells.push_back({CellUnit::kCount, ratio(energy_j, time_s)});
    }
    if (has_memory) {
      row.cells.push_back(
          {CellUnit::kAmount,
           known(static_cast<double>(host.peak_memory_sum_bytes))});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace poprt
