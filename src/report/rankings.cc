#include "report/rankings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "model/ratio.h"
#include "report/core_time.h"
#include "report/format.h"

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

void add_column(Table* table, const char* name, size_t width,
                const char* meaning = "") {
  TableColumn& column = table->columns.emplace_back();
  column.name = name;
  column.width = width;
  column.meaning = meaning;
}

void add_row(Table* table, const std::string& label,
             std::initializer_list<Number> numbers) {
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

std::string name_of(const ConstructReport& construct, const char* rest) {
  return construct.location.empty() ? rest : construct.location;
}

// The first ones of a kind.  The row of all others is only shown as a number.
std::vector<const ConstructReport*> first_of(const JobReport& report,
                                             bool tasks, size_t most,
                                             size_t* more) {
  std::vector<const ConstructReport*> shown;
  *more = 0;
  for (const ConstructReport& construct : report.constructs) {
    if (construct.totals.is_task != tasks) continue;
    if (shown.size() < most) {
      shown.push_back(&construct);
    } else {
      ++*more;
    }
  }
  return shown;
}

}  // namespace

Table region_ranking(const JobReport& report, size_t most) {
  Table table;
  if (report.regions.size() < 2 || job_core_ns(report) <= 0) return table;
  table.title = "Regions by core time lost";
  table.label_width = 33;
  // Where the clocks of a region are incomplete, its run time is not known.
  const bool are_known =
      std::ranges::all_of(report.regions, [&](const RegionReport& region) {
        return std::isfinite(run_time_ns(report, region));
      });
  add_column(&table, "visits", 10);
  if (are_known) {
    add_column(&table, "run time", 11);
  } else {
    add_column(&table, "longest", 11, "time of a process");
  }
  add_column(&table, "core time lost", 16);
  add_column(&table, "lost", 10, "% of the job's core time");
  double lost_sum = 0;  // may exceed an integer for many nested regions
  size_t regions = 0;
  for (const RegionReport& region : report.regions) {
    const RegionTotals& t = region.totals;
    if (&region == global_region(report)) continue;
    lost_sum += static_cast<double>(lost_core_ns(t));
    if (++regions > most) continue;
    add_row(
        &table, t.name,
        {count(t.visits),
         are_known ? Number{CellUnit::kNs, run_time_ns(report, region)}
                   : time(t.elapsed_max_ns),
         time(lost_core_ns(t)), share(share_of_job(report, lost_core_ns(t)))});
  }
  table.more = rows_left_out(regions - std::min(regions, most));
  const int64_t lost = lost_core_ns(global_region(report)->totals);
  if (lost_sum > static_cast<double>(lost)) {
    table.notes.emplace_back("regions overlap: their losses do not add up");
  }
  return table;
}

Table parallel_region_ranking(const JobReport& report, size_t most) {
  size_t more;
  const auto shown = first_of(report, false, most, &more);
  Table table;
  if (shown.empty()) return table;
  table.title = "Parallel regions by cost";
  table.label_width = 32;
  const char* const of_region = "% of the region's core time";
  add_column(&table, "visits", 9);
  add_column(&table, "time", 11, "mean of a process");
  add_column(&table, "useful", 8, of_region);
  add_column(&table, "lost", 8,
             "% of the job's, adds up to what OpenMP Region Efficiency lacks");
  add_column(&table, "LB", 6, of_region);
  add_column(&table, "Sched", 6, of_region);
  const double processes =
      static_cast<double>(std::max<int64_t>(1, report.totals.processes));
  for (const ConstructReport* construct : shown) {
    const ConstructTotals& t = construct->totals;
    const double mean_ns = static_cast<double>(t.time_ns) / processes;
    add_row(&table, name_of(*construct, "other, and outside of them"),
            {count(t.visits),
             {CellUnit::kNs, t.time_ns == 0 ? kUndefined : std::trunc(mean_ns)},
             share(construct->useful),
             share(construct->contribution),
             share(construct->load_balance),
             share(construct->scheduling)});
  }
  table.more = rows_left_out(more);
  return table;
}

Table parallel_region_sources(const JobReport& report, size_t most) {
  size_t more;
  const auto shown = first_of(report, false, most, &more);
  Table table;
  if (shown.empty() || std::isnan(shown.front()->lost_imbalance)) return table;
  table.title = "What they lost, % of the job's";
  table.label_width = 32;
  add_column(&table, "imbalance", 10);
  add_column(&table, "serialised", 11);
  add_column(&table, "MPI", 6);
  add_column(&table, "scheduling", 11);
  add_column(&table, "start", 7);
  for (const ConstructReport* construct : shown) {
    add_row(
        &table, name_of(*construct, "other, and outside of them"),
        {share(construct->lost_imbalance), share(construct->lost_serialised),
         share(construct->lost_mpi_inside), share(construct->lost_scheduling),
         share(construct->lost_not_started)});
  }
  return table;
}

Table task_ranking(const JobReport& report, size_t most) {
  size_t more;
  const auto shown = first_of(report, true, most, &more);
  const double core_ns = static_cast<double>(job_core_ns(report));
  Table table;
  if (shown.empty() || core_ns <= 0) return table;
  table.title = "Tasks by useful time";
  table.label_width = 32;
  add_column(&table, "tasks", 9);
  add_column(&table, "useful", 11);
  add_column(&table, "% of job", 10);
  add_column(&table, "each", 11);
  for (const ConstructReport* construct : shown) {
    const ConstructTotals& t = construct->totals;
    add_row(&table, name_of(*construct, "other"),
            {count(t.visits), time(t.useful_ns),
             share(static_cast<double>(t.useful_ns) / core_ns),
             t.visits > 0 ? time(t.useful_ns / t.visits)
                          : Number{CellUnit::kNs, kUndefined}});
  }
  table.more = rows_left_out(more);
  return table;
}

}  // namespace poprt
