#include "report/energy.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "document/format.h"
#include "model/ratio.h"

namespace poprt {
namespace {

constexpr size_t kHostsNamed = 4;

std::string text_of(double energy_j, double time_s) {
  const std::string number = with_prefix(energy_j);
  const bool has_prefix = number.find(' ') != std::string::npos;
  return fmt::format("{}{}J, {:.0f} W", number, has_prefix ? "" : " ",
                     ratio(energy_j, time_s));
}

}  // namespace

double seconds_of(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return kUndefined;
  return static_cast<double>(global->totals.elapsed_max_ns) / 1e9;
}

double energy_j(const HostShare& host) {
  return static_cast<double>(host.energy_uj) / 1e6;
}

double job_energy_j(const JobReport& report) {
  double sum = 0;
  for (const HostShare& host : report.totals.hosts) {
    if (host.energy_uj == 0 || host.energy_is_least) return kUndefined;
    sum += energy_j(host);
  }
  return report.totals.hosts.empty() ? kUndefined : sum;
}

double job_power_w(const JobReport& report) {
  return ratio(job_energy_j(report), seconds_of(report));
}

std::string energy_line(const JobReport& report) {
  const double time_s = seconds_of(report);
  std::vector<std::string> known;
  bool has_least = false;
  for (const HostShare& host : report.totals.hosts) {
    if (host.energy_uj == 0) continue;
    has_least = has_least || host.energy_is_least;
    known.push_back(fmt::format("{} {}{}", shortened(printable(host.name), 30),
                                host.energy_is_least ? "at least " : "",
                                text_of(energy_j(host), time_s)));
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

}  // namespace poprt
