// The rows of threads (POPRT_ROWS=thread): a list of those at the ends, and all
// of them as CSV.
#include "report/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "document/format.h"
#include "model/members.h"
#include "model/ratio.h"
#include "report/table.h"
#include "report/table_options.h"

namespace poprt {
namespace {

// How many threads are listed at each end.
constexpr size_t kThreadsAtEachEnd = 5;

// States that have a column besides useful, MPI and OpenMP's.
std::vector<State> further_states(const std::vector<ThreadRow>& rows) {
  std::vector<State> states;
  for (const State state : kAllStates) {
    const auto is_in = [&](const ThreadRow& row) {
      return row.*thread_time_of(state) > 0;
    };
    if (!has_column(state) && std::ranges::any_of(rows, is_in)) {
      states.push_back(state);
    }
  }
  return states;
}

TableRow row_of(const ThreadRow& row, const std::vector<State>& further) {
  const auto count = [](int64_t number) {
    return TableCell{CellUnit::kCount, static_cast<double>(number)};
  };
  int64_t elapsed_ns = 0;
  for (const State state : kAllStates) {
    elapsed_ns += row.*thread_time_of(state);
  }
  const auto share = [&](int64_t ns) {
    return TableCell{
        CellUnit::kPercent,
        ratio(static_cast<double>(ns), static_cast<double>(elapsed_ns))};
  };
  const TableCell unknown = {CellUnit::kPercent, kUndefined};
  const bool known = row.openmp_imbalance_ns != ThreadRow::kNotKnown;
  const auto lost = [&](int64_t ns) { return known ? share(ns) : unknown; };
  TableRow cells = {"",
                    {count(row.rank),
                     count(row.thread),
                     {CellUnit::kNs, static_cast<double>(elapsed_ns)},
                     {CellUnit::kNs, static_cast<double>(row.useful_ns)},
                     share(row.useful_ns),
                     share(row.mpi_ns),
                     lost(row.omp_ns - row.openmp_imbalance_ns -
                          row.openmp_serialised_ns - row.openmp_mpi_inside_ns -
                          row.openmp_scheduling_ns - row.openmp_not_started_ns),
                     lost(row.openmp_imbalance_ns),
                     lost(row.openmp_serialised_ns),
                     lost(row.openmp_mpi_inside_ns),
                     lost(row.openmp_scheduling_ns),
                     lost(row.openmp_not_started_ns)}};
  for (const State state : further) {
    cells.cells.push_back(share(row.*thread_time_of(state)));
  }
  return cells;
}

// The threads with the most and the least useful time.
Table list_of(const RegionTotals& region) {
  std::vector<ThreadRow> rows = region.thread_rows;
  std::ranges::sort(rows, {}, [](const ThreadRow& row) {
    return std::make_tuple(-row.useful_ns, row.rank, row.thread);
  });
  Table table;
  table.title = "Threads by useful time";
  table.region = region.name;
  table.columns = {{"rank"},
                   {"thread"},
                   {"elapsed", "of the process"},
                   {"useful"},
                   {"%", "useful, of elapsed, as all that follow"},
                   {"MPI"},
                   {"outside", "waits outside parallel regions"},
                   {"imb.",
                    "imbalance: this and the rest are lost "
                    "in parallel regions"},
                   {"ser.", "serialised"},
                   {"for MPI", "waits for other threads' MPI"},
                   {"sched.", "scheduling"},
                   {"late", "not started"}};
  const std::vector<State> further = further_states(rows);
  for (const State state : further) {
    table.columns.push_back({entry_of(state).name});
  }
  const auto all = static_cast<size_t>(region.threads);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == kThreadsAtEachEnd && rows.size() > 2 * kThreadsAtEachEnd) {
      i = rows.size() - kThreadsAtEachEnd;
      // Those that are not in the file are between the others, too.
      table.rows.push_back(
          {fmt::format("and {} between",
                       std::max(all, rows.size()) - 2 * kThreadsAtEachEnd)});
    }
    table.rows.push_back(row_of(rows[i], further));
  }
  if (rows.size() < all) {
    table.notes.push_back(
        fmt::format("rows of {} of {}: of those with the most and the least "
                    "useful time, in "
                    "processes with POPRT_ROWS=thread",
                    rows.size(), counted(region.threads, "thread")));
  }
  return table;
}

// Those that are shown and have rows; without names only Global.
template <class Visit>
void for_each_region(const JobReport& report, const TableOptions& options,
                     Visit visit) {
  for (const RegionReport* region : shown_regions(report, options)) {
    const bool wanted =
        !options.regions.empty() || region == global_region(report);
    if (wanted && !region->totals.thread_rows.empty()) visit(region->totals);
  }
}

}  // namespace

bool has_thread_rows(const JobReport& report) {
  return std::ranges::any_of(report.regions, [](const RegionReport& region) {
    return !region.totals.thread_rows.empty();
  });
}

std::vector<Block> thread_blocks(const JobReport& report,
                                 const TableOptions& options) {
  std::vector<Block> blocks;
  for_each_region(report, options, [&](const RegionTotals& region) {
    blocks.emplace_back(list_of(region));
  });
  return blocks;
}

std::string threads_csv_heading() {
  std::string text = "file,region";
  for (const Member<ThreadRow>& member : kThreadRowMembers) {
    text += std::string(",") + member.name;
  }
  for (const Member<ThreadRow>& member : kThreadSourceMembers) {
    text += std::string(",") + member.name;
  }
  return text + "\n";
}

std::string threads_csv(const JobReport& report, const std::string& file,
                        const TableOptions& options) {
  std::string text;
  for_each_region(report, options, [&](const RegionTotals& region) {
    for (const ThreadRow& row : region.thread_rows) {
      text += csv_field(file) + "," + csv_field(region.name);
      for (const Member<ThreadRow>& member : kThreadRowMembers) {
        text += fmt::format(",{}", row.*member.value);
      }
      for (const Member<ThreadRow>& member : kThreadSourceMembers) {
        const int64_t ns = row.*member.value;
        text += ns == ThreadRow::kNotKnown ? "," : fmt::format(",{}", ns);
      }
      text += "\n";
    }
  });
  return text;
}

}  // namespace poprt
