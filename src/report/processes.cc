// The blocks of the rows of processes: each column in one line, and only the
// processes at its ends.
#include "report/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/members.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "report/placement.h"
#include "report/table.h"
#include "report/table_options.h"

namespace poprt {
namespace {

// How many processes are listed at each end.
constexpr size_t kListed = 5;

struct Line {
  const char* label;
  int depth;
  int64_t ProcessRow::*value;
  std::optional<State> state = std::nullopt;  // whose parts follow
};

std::vector<Line> lines() {
  std::vector<Line> lines = {{"elapsed", 0, &ProcessRow::elapsed_ns}};
  for (const State state : kAllStates) {
    Line line = {entry_of(state).name, 0, process_time_of(state)};
    if (state != State::kUseful) line.state = state;
    lines.push_back(line);
    if (state != State::kUseful) continue;
    lines.push_back({"busiest thread", 1, &ProcessRow::useful_max_ns});
    lines.push_back({"serial", 1, &ProcessRow::serial_ns});
  }
  lines.push_back({"outside MPI", 0, &ProcessRow::outside_mpi_ns});
  return lines;
}

struct Place {
  std::string host;
  int64_t threads;
};
using Places = std::map<int64_t, Place>;  // by rank

Places places_of(const JobTotals& job) {
  std::map<uint64_t, std::string> names;
  for (const HostShare& host : job.hosts) {
    names[text_hash(host.name.data(), host.name.size())] = host.name;
  }
  Places places;
  for (const ProcessPlace& place : job.places) {
    places[place.rank] = {names[place.host], place.threads};
  }
  return places;
}

Place place_of(const Places& places, int64_t rank) {
  const auto found = places.find(rank);
  return found == places.end() ? Place{"?", 0} : found->second;
}

TableCell time_cell(int64_t ns) {
  return {CellUnit::kNs, static_cast<double>(ns)};
}

TableCell count_cell(int64_t number) {
  return {CellUnit::kCount, static_cast<double>(number)};
}

// One line for each column that is not 0 for all processes.
Table summary_of(const RegionTotals& region) {
  const std::vector<ProcessRow>& rows = region.rows;
  Table table;
  table.title = "Processes";
  table.region = region.name;
  table.columns = {{"sum"}, {"mean"}, {"least"}, {"rank"}, {"most"}, {"rank"}};
  const auto add = [&](const std::string& label, int depth, auto value,
                       CellUnit unit = CellUnit::kNs) {
    const auto less = [&](const ProcessRow& a, const ProcessRow& b) {
      return value(a) < value(b);
    };
    const auto least = std::min_element(rows.begin(), rows.end(), less);
    const auto most = std::max_element(rows.begin(), rows.end(), less);
    if (value(*most) == 0) return;
    int64_t sum = 0;
    for (const ProcessRow& row : rows) sum += value(row);
    const auto cell = [&](int64_t number) {
      return TableCell{unit, static_cast<double>(number)};
    };
    table.rows.push_back(
        {label,
         {cell(sum), cell(sum / static_cast<int64_t>(rows.size())),
          cell(value(*least)), count_cell(least->rank), cell(value(*most)),
          count_cell(most->rank)},
         depth});
  };
  for (const Line& line : lines()) {
    add(line.label, line.depth,
        [&](const ProcessRow& row) { return row.*line.value; });
    for (const Quantity* quantity : kQuantities) {
      if (!line.state || quantity->part_of != line.state) continue;
      add(quantity->title, 1, [&](const ProcessRow& row) {
        return amount(row.amounts, quantity->name);
      });
    }
  }
  for_each_counter(region.amounts, [&](std::string_view counter, int64_t) {
    if (counter == kCountedUseful) return;
    add(
        std::string(counter), 0,
        [&](const ProcessRow& row) {
          return amount(row.amounts, counter_amount(counter));
        },
        CellUnit::kAmount);
  });
  return table;
}

// Those with a column, besides useful time.
std::vector<State> states_in(const std::vector<ProcessRow>& rows) {
  std::vector<State> states;
  for (const State state : kAllStates) {
    const auto is_in = [&](const ProcessRow& row) {
      return row.*process_time_of(state) > 0;
    };
    if (state == State::kUseful) continue;
    if (has_column(state) || std::ranges::any_of(rows, is_in)) {
      states.push_back(state);
    }
  }
  return states;
}

TableRow row_of(const ProcessRow& row, const std::vector<State>& states,
                const Places& places) {
  const Place place = place_of(places, row.rank);
  const double core_ns =
      static_cast<double>(place.threads) * static_cast<double>(row.elapsed_ns);
  TableRow cells = {"",
                    {count_cell(row.rank),
                     count_cell(place.threads),
                     time_cell(row.elapsed_ns),
                     time_cell(row.useful_ns),
                     {CellUnit::kPercent,
                      ratio(static_cast<double>(row.useful_ns), core_ns)}}};
  for (const State state : states) {
    cells.cells.push_back(time_cell(row.*process_time_of(state)));
  }
  cells.cells.push_back(TableCell{.text = place.host});
  return cells;
}

// The processes with the most and the least useful time.
Table list_of(const RegionTotals& region, const Places& places) {
  std::vector<ProcessRow> rows = region.rows;
  std::sort(rows.begin(), rows.end(),
            [](const ProcessRow& a, const ProcessRow& b) {
              return a.useful_ns != b.useful_ns ? a.useful_ns > b.useful_ns
                                                : a.rank < b.rank;
            });
  Table table;
  table.title = "By useful time";
  table.key = "process_list";
  table.goes_on = true;
  const char* const sums = "sums over threads";
  table.columns = {{"rank"},
                   {"threads"},
                   {"elapsed"},
                   {"useful", sums},
                   {"%", "useful, of threads x elapsed"}};
  const std::vector<State> states = states_in(rows);
  for (const State state : states) {
    table.columns.push_back({entry_of(state).name, sums});
  }
  table.columns.push_back({.name = "host", .is_text = true});
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == kListed && rows.size() > 2 * kListed) {
      i = rows.size() - kListed;
      table.rows.push_back({fmt::format("and {} between", i - kListed)});
    }
    table.rows.push_back(row_of(rows[i], states, places));
  }
  const auto have = static_cast<int64_t>(rows.size());
  if (have < region.processes) {
    table.notes.push_back(fmt::format(
        "rows of {} of {}: the others ran without POPRT_ROWS=process", have,
        counted(region.processes, "process")));
  }
  return table;
}

std::vector<const RegionReport*> regions_with_rows(
    const JobReport& report, const TableOptions& options) {
  std::vector<const RegionReport*> regions;
  for (const RegionReport* region : shown_regions(report, options)) {
    const bool wanted =
        !options.regions.empty() || region == global_region(report);
    if (wanted && !region->totals.rows.empty()) regions.push_back(region);
  }
  return regions;
}

}  // namespace

bool has_rows(const JobReport& report) { return !report.totals.places.empty(); }

std::vector<Block> process_blocks(const JobReport& report,
                                  const TableOptions& options) {
  const Places places = places_of(report.totals);
  std::vector<Block> blocks;
  for (const RegionReport* region : regions_with_rows(report, options)) {
    blocks.emplace_back(summary_of(region->totals));
    blocks.emplace_back(list_of(region->totals, places));
  }
  for (Block& block : placement_blocks(report)) {
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void ProcessesCsv::add(const JobReport& report, const std::string& file,
                       const TableOptions& options) {
  const Places places = places_of(report.totals);
  for (const RegionReport* region : regions_with_rows(report, options)) {
    const std::string first =
        csv_field(file) + "," + csv_field(region->totals.name);
    for (const ProcessRow& row : region->totals.rows) {
      const Place place = place_of(places, row.rank);
      Line line;
      line.fields =
          fmt::format("{},{},{}", first, csv_field(place.host), place.threads);
      for (const Member<ProcessRow>& member : kRowMembers) {
        const std::optional<State> state = state_of(member);
        line.fields += ",";
        if (state && !is_known(report.totals, *state)) continue;
        line.fields += fmt::format("{}", row.*member.value);
      }
      for (const Quantity* quantity : kQuantities) {
        line.fields += ",";
        if (!has_amount(row.amounts, quantity->name)) continue;
        line.fields += fmt::format("{}", amount(row.amounts, quantity->name));
      }
      line.fields += csv_placement(report, row.rank);
      for_each_counter(row.amounts,
                       [&](std::string_view counter, int64_t count) {
                         counters_.emplace(counter);
                         line.counts.emplace(counter, count);
                       });
      lines_.push_back(std::move(line));
    }
  }
}

std::string ProcessesCsv::text() const {
  std::string text = "file,region,host,threads";
  for (const Member<ProcessRow>& member : kRowMembers) {
    text += std::string(",") + member.name;
  }
  for (const Quantity* quantity : kQuantities) {
    text += "," + row_name(quantity->name);
  }
  text += csv_placement_heading();
  for (const std::string& counter : counters_) {
    text += "," + csv_field("counters." + counter);
  }
  text += "\n";
  for (const Line& line : lines_) {
    text += line.fields;
    for (const std::string& counter : counters_) {
      const auto found = line.counts.find(counter);
      text += ",";
      if (found != line.counts.end()) text += fmt::format("{}", found->second);
    }
    text += "\n";
  }
  return text;
}

}  // namespace poprt
