#include "report/rankings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/judge.h"
#include "model/ratio.h"
#include "report/core_time.h"

namespace poprt {
namespace {

struct Number {
  CellUnit unit;
  double value;
};

Number count(int64_t number) {
  return {CellUnit::kCount, static_cast<double>(number)};
}

Number time(int64_t ns) { return {CellUnit::kNs, static_cast<double>(ns)}; }

Number share(double value) {
  return {CellUnit::kPercent, std::isfinite(value) ? value : kUndefined};
}

void add_row(Table* table, const std::string& label,
             const std::vector<Number>& numbers) {
  TableRow& row = table->rows.emplace_back();
  row.label = label;
  for (const Number& number : numbers) {
    TableCell& cell = row.cells.emplace_back();
    cell.unit = number.unit;
    cell.value = number.value;
  }
}

std::string rows_left_out(size_t rows) {
  return rows == 0 ? "" : fmt::format("and {} more in the run file", rows);
}

// The first ones of a kind, by loss, or by time where none is named. The row of
// all others is only shown as a number.
std::vector<const ConstructReport*> first_of(const JobReport& report,
                                             bool tasks,
                                             const std::string& region,
                                             size_t most, size_t* more) {
  std::vector<const ConstructReport*> shown;
  for (const ConstructReport& construct :
       region.empty() ? report.constructs : report.region_constructs) {
    if (construct.totals.is_task == tasks &&
        construct.totals.region == region) {
      shown.push_back(&construct);
    }
  }
  if (!tasks && is_red(report)) {
    std::ranges::sort(shown, {}, [](const ConstructReport* construct) {
      return std::pair(-construct->totals.time_ns, construct);
    });
  }
  *more = shown.size() - std::min(shown.size(), most);
  shown.resize(shown.size() - *more);
  return shown;
}

// A column of the tables of constructs: its head, and what it shows of each.
struct ConstructColumn {
  const char* name;
  std::function<Number(const ConstructReport&)> value;
  const char* meaning = "";
  const char* key = "";
};

// `rest` is the name of the constructs without a place.
Table construct_table(const char* key, const std::string& title,
                      const std::string& region,
                      const std::vector<const ConstructReport*>& shown,
                      const char* rest,
                      const std::vector<ConstructColumn>& columns) {
  Table table;
  table.title = title;
  table.key = key;
  table.region = region;
  for (const ConstructColumn& column : columns) {
    table.columns.push_back({column.name, column.meaning, column.key});
  }
  for (const ConstructReport* construct : shown) {
    std::vector<Number> numbers;
    for (const ConstructColumn& column : columns) {
      numbers.push_back(column.value(*construct));
    }
    add_row(&table, construct->location.empty() ? rest : construct->location,
            numbers);
  }
  return table;
}

constexpr char kOtherRegions[] = "other, and outside of them";

// Of the job's core time.  Less is not worth a line.
constexpr double kLeastOutside = 0.01;

// Of the run time of a region on all its ranks, which is the base of its
// efficiencies, the time that they were not in it.
int64_t outside_ns(const RegionReport* region) {
  return core_ns(region->totals) - in_all_states_ns(region->totals);
}

// The note on the region in which that hides most: it is more than what the
// ranking has of it.  "": in none.  REQUIRES: there are regions.
std::string waits_outside(const JobReport& report,
                          const std::vector<const RegionReport*>& shown) {
  const auto hidden_ns = [](const RegionReport* region) {
    return outside_ns(region) - lost_core_ns(region->totals);
  };
  const RegionReport* const region =
      *std::ranges::max_element(shown, {}, hidden_ns);
  const double outside = share_of_job(report, outside_ns(region));
  if (hidden_ns(region) <= 0 || outside < kLeastOutside) return "";
  return fmt::format(
      "{}: its ranks were not all in it for all of its run time; what they "
      "waited for elsewhere is at most {} % of the job, and not in its row",
      printable(region->totals.name), percent(outside));
}

}  // namespace

Table region_ranking(const JobReport& report, size_t most) {
  Table table;
  if (report.regions.size() < 2 || job_core_ns(report) <= 0) return table;
  // With a red light no loss is named.
  const bool red = is_red(report);
  table.title = red ? "Regions by core time" : "Regions by core time lost";
  table.key = "region_ranking";
  // Where the clocks of a region are incomplete, its run time is not known.
  const bool are_known =
      std::ranges::all_of(report.regions, [&](const RegionReport& region) {
        return std::isfinite(run_time_ns(report, region));
      });
  table.columns = {{"visits"},
                   are_known ? TableColumn{"run time"}
                             : TableColumn{"longest", "time of a process"},
                   {red ? "core time" : "core time lost"},
                   {red ? "of the job" : "lost", "% of the job's core time"}};
  double sum = 0;  // may exceed an integer for many nested regions
  std::vector<const RegionReport*> order;
  for (const RegionReport& region : report.regions) {
    if (&region != global_region(report)) order.push_back(&region);
  }
  const auto ranked_ns = [&](const RegionReport* region) {
    if (red) return core_ns(region->totals);
    // As in the tables: also what is not known of ranks that ended earlier.
    return is_incomplete(report.context)
               ? core_ns(region->totals) - region->totals.useful_sum_ns
               : lost_core_ns(region->totals);
  };
  // Equal ones in the report's order.
  std::ranges::sort(order, {}, [&](const RegionReport* region) {
    return std::pair(-ranked_ns(region), region);
  });
  for (const RegionReport* const region : order) {
    const RegionTotals& t = region->totals;
    const int64_t ns = ranked_ns(region);
    sum += static_cast<double>(ns);
    if (table.rows.size() == most) continue;
    add_row(&table, t.name,
            {count(t.visits),
             are_known ? Number{CellUnit::kNs, run_time_ns(report, *region)}
                       : time(t.elapsed_max_ns),
             time(ns), share(share_of_job(report, ns))});
  }
  table.more = rows_left_out(order.size() - table.rows.size());
  // Of an incomplete run rows have it.
  if (!red && are_known && !is_incomplete(report.context) &&
      !table.rows.empty()) {
    order.resize(table.rows.size());
    std::string note = waits_outside(report, order);
    if (!note.empty()) table.notes.push_back(std::move(note));
  }
  if (sum > static_cast<double>(ranked_ns(global_region(report)))) {
    table.notes.emplace_back(
        red ? "regions overlap: their times do not add up"
            : "regions overlap: their losses do not add up");
  }
  return table;
}

Table parallel_region_ranking(const JobReport& report, size_t most,
                              const std::string& region) {
  size_t more;
  const auto shown = first_of(report, false, region, most, &more);
  if (shown.empty()) return {};
  const char* const of_region = "% of the region's core time";
  const double processes =
      static_cast<double>(std::max<int64_t>(1, report.totals.processes));
  // With a red light no loss is named.
  const bool red = is_red(report);
  std::vector<ConstructColumn> columns = {
      {"visits", [](const auto& c) { return count(c.totals.visits); }},
      {"time",
       [&](const auto& c) -> Number {
         const auto time_ns = static_cast<double>(c.totals.time_ns);
         return {CellUnit::kNs,
                 time_ns == 0 ? kUndefined : std::trunc(time_ns / processes)};
       },
       "mean of a process"},
      {"useful", [](const auto& c) { return share(c.useful); }, of_region},
      {"lost", [](const auto& c) { return share(c.contribution); },
       region.empty()
           ? "% of the job's, adds up to what OpenMP Region Efficiency lacks"
           : "% of the region's core time, adds up to what its OpenMP Region "
             "Efficiency lacks",
       "lost"},
      {"LB", [](const auto& c) { return share(c.load_balance); }, of_region},
      {"Sched", [](const auto& c) { return share(c.scheduling); }, of_region}};
  if (red) columns.resize(3);
  const char* const by = red ? "time" : "cost";
  Table table = construct_table(
      "parallel_regions",
      region.empty() ? fmt::format("Parallel regions by {}", by)
                     : fmt::format("Parallel regions of {} by {}", region, by),
      region, shown, kOtherRegions, columns);
  table.more = rows_left_out(more);
  return table;
}

Table parallel_region_sources(const JobReport& report, size_t most,
                              const std::string& region) {
  size_t more;
  const auto shown = first_of(report, false, region, most, &more);
  if (shown.empty() || is_red(report) ||
      std::isnan(shown.front()->lost_imbalance)) {
    return {};
  }
  std::vector<ConstructColumn> columns = {
      {"imbalance", [](const auto& c) { return share(c.lost_imbalance); }, "",
       "imbalance"},
      {"serialised", [](const auto& c) { return share(c.lost_serialised); }, "",
       "serialised"},
      {"MPI", [](const auto& c) { return share(c.lost_mpi_inside); }, "",
       "mpi_inside"},
      {"scheduling", [](const auto& c) { return share(c.lost_scheduling); }, "",
       "scheduling"},
      {"start", [](const auto& c) { return share(c.lost_not_started); }, "",
       "not_started"}};
  if (report.totals.has_devices) {
    columns.push_back(
        {"accelerator",
         [](const auto& c) { return share(c.lost_accelerator_inside); },
         "waiting for threads in calls to accelerators", "accelerator_inside"});
  }
  return construct_table("parallel_sources",
                         region.empty()
                             ? std::string("What they lost, % of the job's")
                             : fmt::format("What they lost, % of {}", region),
                         region, shown, kOtherRegions, columns);
}

Table task_ranking(const JobReport& report, size_t most) {
  size_t more;
  const auto shown = first_of(report, true, "", most, &more);
  const double core_ns = static_cast<double>(job_core_ns(report));
  if (shown.empty() || core_ns <= 0) return {};
  Table table = construct_table(
      "tasks", "Tasks by useful time", "", shown, "other",
      {{"tasks", [](const auto& c) { return count(c.totals.visits); }},
       {"useful", [](const auto& c) { return time(c.totals.useful_ns); }},
       {"% of job",
        [&](const auto& c) {
          return share(static_cast<double>(c.totals.useful_ns) / core_ns);
        }},
       {"each", [](const auto& c) {
          const ConstructTotals& t = c.totals;
          return t.visits > 0 ? time(t.useful_ns / t.visits)
                              : Number{CellUnit::kNs, kUndefined};
        }}});
  table.more = rows_left_out(more);
  return table;
}

}  // namespace poprt
