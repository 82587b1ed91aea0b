#include "compare/placement_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "document/format.h"
#include "report/job_numbers.h"
#include "report/table.h"

namespace poprt {
namespace {

// Numbers that differ less are noise.
constexpr double kLeastChange = 0.1;
// Of shares of the core time.
constexpr double kLeastShare = 0.01;

// One value for all hosts, or "from A to B".
template <class Value>
std::string over_hosts(const JobReport& report, Value value) {
  int64_t least = INT64_MAX;
  int64_t most = 0;
  for (const HostShare& host : report.totals.hosts) {
    const int64_t own = value(host);
    if (own == 0) return "";  // not known
    least = std::min(least, own);
    most = std::max(most, own);
  }
  if (most == 0) return "";
  return least == most ? fmt::format("{}", most)
                       : fmt::format("{} to {}", least, most);
}

// What differs between the kinds of hosts, each once.
template <class Value>
std::string over_topologies(const JobReport& report, Value value) {
  std::set<std::string> texts;
  for (const Topology& each : report.totals.topologies) {
    texts.insert(value(each));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string parts_of(const Topology& topology) {
  return fmt::format("{} / {} / {}", topology.sockets.size(),
                     topology.numa_nodes.size(), topology.cores.size());
}

std::string threads_per_rank(const JobReport& report) {
  const JobTotals& job = report.totals;
  return job.threads_min == job.threads_max
             ? fmt::format("{}", job.threads_max)
             : fmt::format("{} to {}", job.threads_min, job.threads_max);
}

// How many ranks are bound to cores that others are bound to, too.
std::string sharing_ranks(const JobReport& report) {
  if (report.totals.topologies.empty()) return "";
  std::set<int64_t> ranks;
  for (const HostShare& host : report.totals.hosts) {
    for (const CoreUser& user : host.users) ranks.insert(user.rank);
  }
  return fmt::format("{}", ranks.size());
}

struct TextLine {
  const char* label;
  std::string (*text)(const JobReport&);  // empty: not known
};
constexpr TextLine kTexts[] = {
    {"hosts",
     [](const JobReport& r) {
       return fmt::format("{}", r.totals.hosts.size());
     }},
    {"processor",
     [](const JobReport& r) {
       return over_topologies(r, [](const Topology& t) { return t.cpu_model; });
     }},
    {"sockets/NUMA/cores",
     [](const JobReport& r) { return over_topologies(r, parts_of); }},
    {"ranks of a host",
     [](const JobReport& r) {
       return over_hosts(r, [](const HostShare& h) { return h.processes; });
     }},
    {"threads of a rank", threads_per_rank},
    {"cores that may be used",
     [](const JobReport& r) {
       return over_hosts(r, [](const HostShare& h) { return h.cpus.size(); });
     }},
    {"cores of the job",
     [](const JobReport& r) {
       return over_hosts(r,
                         [](const HostShare& h) { return h.allotted.size(); });
     }},
    {"ranks that share cores", sharing_ranks},
};

bool differ(const JobNumber& number, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return false;
  const double change = std::abs(a - b);
  return number.unit == MetricUnit::kShare
             ? change >= kLeastShare
             : change >= kLeastChange * std::max(a, b) && change > 0;
}

}  // namespace

Table placement_difference(const JobReport& a, const JobReport& b) {
  Table table;
  table.title = "Placement and resources: what differs";
  table.columns = {{"A"}, {"B"}};
  for (const TextLine& line : kTexts) {
    const std::string first = line.text(a);
    const std::string second = line.text(b);
    if (first.empty() || second.empty() || first == second) continue;
    table.rows.push_back(
        {line.label, {TableCell{.text = first}, TableCell{.text = second}}});
  }
  for (const JobNumber& number : job_numbers()) {
    const double first = number.value(a);
    const double second = number.value(b);
    if (!differ(number, first, second)) continue;
    TableRow row = {number.label};
    for (const auto& [report, value] : {std::pair(&a, first), {&b, second}}) {
      row.cells.push_back({cell_unit(number.unit), value});
      row.cells.back().is_least =
          number.only_grows && is_incomplete(report->context);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace poprt
