#include "report/openmp_constructs.h"

#include <vector>

#include "report/site_tables.h"

namespace poprt {
namespace {

std::string construct_label(const ConstructSiteReport& site) {
  if (is_rest(site.totals)) return "no construct, others";
  const std::string& lock = site.totals.lock;
  std::string label = site.totals.construct;
  if (lock.starts_with(kInitialisedAt)) {
    label += site.location.empty() ? "" : " " + site.location;
    return label + ", " + lock;
  }
  if (lock.starts_with('(')) {
    label += " " + lock;
  } else if (!lock.empty()) {
    label += "(" + lock + ")";
  }
  return site.location.empty() ? label : label + " " + site.location;
}

}  // namespace

Table construct_times(const JobReport& report, const std::string& region,
                      size_t most) {
  Table table;
  int64_t all_ns = 0;
  for (const ConstructSiteReport& each : report.construct_sites) {
    if (each.totals.region == region) all_ns += each.totals.time_ns;
  }
  table.key = "openmp_constructs";
  table.title = title_of_sites("OpenMP constructs by time", region);
  table.columns = {{"visits", "of each thread"},
                   {"time", "in the OpenMP runtime, sum over threads"},
                   {"OpenMP", "% of the time in OpenMP"},
                   {"waiting", "% of their time, for another thread"},
                   {"for thread", "that it was most for, % of the waiting"}};
  add_site_rows(
      report.construct_sites, region, most, construct_label,
      [&](const ConstructSiteTotals& each) -> std::vector<TableCell> {
        return {site_cell(CellUnit::kAmount, each.visits),
                site_cell(CellUnit::kNs, each.time_ns),
                site_share(each.time_ns, all_ns),
                site_share(each.waiting_ns, each.time_ns),
                latest_cell(each.late, each.waiting_ns, each.time_ns)};
      },
      &table);
  return table;
}

Table construct_partners(const JobReport& report, const std::string& region,
                         size_t most) {
  Table table;
  table.title = title_of_sites("Threads that they waited for", region);
  table.columns = {{"iterations", "of loops"},
                   {"waited"},
                   {.name = "threads",
                    .meaning = "and their shares of the waiting",
                    .is_text = true}};
  add_site_rows(
      report.construct_sites, region, most, construct_label,
      [](const ConstructSiteTotals& each) -> std::vector<TableCell> {
        return {each.iterations > 0
                    ? site_cell(CellUnit::kAmount, each.iterations)
                    : TableCell{CellUnit::kAmount},
                site_cell(CellUnit::kNs, each.waiting_ns),
                late_cell(each.late, each.waiting_ns, each.time_ns)};
      },
      &table);
  return table;
}

}  // namespace poprt
