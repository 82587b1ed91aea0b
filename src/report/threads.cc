#include "report/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "document/format.h"
#include "model/members.h"
#include "model/ratio.h"
#include "model/state_parts.h"
#include "report/table.h"
#include "report/table_options.h"

namespace poprt {
namespace {

// How many threads are listed at each end.
constexpr size_t kThreadsAtEachEnd = 5;

// A column of time that threads have lost.
struct Lost {
  TableColumn column;
  std::function<double(const ThreadRow&)> ns;  // NaN if not known
};

// A column for each state but useful, or for each of its parts if rows have
// them.
std::vector<Lost> lost_in(const std::vector<ThreadRow>& rows) {
  std::vector<Lost> columns;
  for (const State state : kAllStates) {
    const auto is_in = [&](const ThreadRow& row) {
      return row.*thread_time_of(state) > 0;
    };
    if (state == State::kUseful ||
        (!has_column(state) && std::ranges::none_of(rows, is_in))) {
      continue;
    }
    for (const StatePart& part : kStateParts) {
      if (part.state != state || part.of_thread == nullptr) continue;
      // Few programs have any.
      if (part.lost_by == EventLayer::kDevices &&
          std::ranges::none_of(rows, [&](const ThreadRow& row) {
            return part.of_thread(row) > 0;
          })) {
        continue;
      }
      columns.push_back({{part.column, part.meaning}, part.of_thread});
    }
    if (has_parts_of_threads(state)) continue;
    columns.push_back({{entry_of(state).name}, [state](const ThreadRow& row) {
                         return static_cast<double>(row.*thread_time_of(state));
                       }});
  }
  return columns;
}

TableRow row_of(const ThreadRow& row, const std::vector<Lost>& lost) {
  const auto count = [](int64_t number) {
    return TableCell{CellUnit::kCount, static_cast<double>(number)};
  };
  int64_t elapsed_ns = 0;
  for (const State state : kAllStates) {
    elapsed_ns += row.*thread_time_of(state);
  }
  const auto elapsed = static_cast<double>(elapsed_ns);
  const auto useful = static_cast<double>(row.useful_ns);
  TableRow cells = {"",
                    {count(row.rank),
                     count(row.thread),
                     {CellUnit::kNs, elapsed},
                     {CellUnit::kNs, useful},
                     {CellUnit::kPercent, ratio(useful, elapsed)}}};
  for (const Lost& each : lost) {
    cells.cells.push_back({CellUnit::kPercent, ratio(each.ns(row), elapsed)});
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
                   {"%", "useful, of elapsed, as all that follow"}};
  const std::vector<Lost> lost = lost_in(rows);
  for (const Lost& each : lost) table.columns.push_back(each.column);
  const auto all = static_cast<size_t>(region.threads);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == kThreadsAtEachEnd && rows.size() > 2 * kThreadsAtEachEnd) {
      i = rows.size() - kThreadsAtEachEnd;
      // Threads without a row in the file are also between the two ends.
      table.rows.push_back(
          {fmt::format("and {} between",
                       std::max(all, rows.size()) - 2 * kThreadsAtEachEnd)});
    }
    table.rows.push_back(row_of(rows[i], lost));
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

// Calls visit(totals) for the regions that are shown and have rows.
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
        const std::optional<State> state = state_of(member);
        text += ",";
        if (state && !is_known(report.totals, *state)) continue;
        text += fmt::format("{}", row.*member.value);
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
