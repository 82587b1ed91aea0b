#include "report/mpi_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/ratio.h"
#include "report/format.h"

namespace poprt {
namespace {

std::vector<const CallTotals*> calls_of(const JobReport& report,
                                        const std::string& region) {
  std::vector<const CallTotals*> calls;
  for (const CallReport& each : report.calls) {
    if (each.totals.region == region) calls.push_back(&each.totals);
  }
  return calls;
}

std::string label_of(const CallReport& call) {
  const CallTotals& totals = call.totals;
  if (totals.function.empty()) return "others";
  std::string label = totals.function.substr(totals.function.find('_') + 1);
  if (!call.location.empty()) label += " " + call.location;
  return label;
}

TableCell cell(CellUnit unit, int64_t value) {
  return {unit, static_cast<double>(value)};
}

TableCell share(int64_t part, int64_t whole) {
  return {CellUnit::kPercent,
          ratio(static_cast<double>(part), static_cast<double>(whole))};
}

// The rows of a region; `cells_of` tells what is in them.
template <class CellsOf>
void add_rows(const JobReport& report, const std::string& region, size_t most,
              CellsOf cells_of, Table* table) {
  size_t rows = 0;
  for (const CallReport& each : report.calls) {
    if (each.totals.region != region) continue;
    if (++rows > most) continue;
    table->rows.push_back({label_of(each), cells_of(each.totals)});
  }
  if (rows > most) {
    table->more = fmt::format("and {} more in the run file", rows - most);
  }
}

// "3 98 %", where it is a bound "3 > 90 %": the share that was waited for this
// rank.
std::string share_of(const CallTotals& call, const LateRank& late) {
  const int64_t least_ns = late.waiting_ns - late.error_ns;
  return fmt::format("{}{} {:.0f} %", late.rank, late.error_ns > 0 ? " >" : "",
                     100.0 * static_cast<double>(least_ns) /
                         static_cast<double>(call.waiting_ns));
}

// The ranks that were waited for longest, first.
std::vector<LateRank> latest_of(const CallTotals& call) {
  std::vector<LateRank> ranks = call.late.ranks;
  std::ranges::sort(ranks, [](const LateRank& a, const LateRank& b) {
    const int64_t least_a = a.waiting_ns - a.error_ns;
    const int64_t least_b = b.waiting_ns - b.error_ns;
    return least_a != least_b ? least_a > least_b : a.rank < b.rank;
  });
  return ranks;
}

// Waiting is worth a word from here on, of a call's time.
constexpr double kWorthAWord = 0.005;
bool waits(const CallTotals& call) {
  return static_cast<double>(call.waiting_ns) >
         kWorthAWord * static_cast<double>(call.time_ns);
}

std::string title_of(const char* what, const std::string& region) {
  return region == kGlobalRegion ? std::string(what)
                                 : fmt::format("{}: {}", what, region);
}

}  // namespace

Table call_times(const JobReport& report, const std::string& region,
                 size_t most) {
  Table table;
  int64_t all_ns = 0;
  for (const CallTotals* each : calls_of(report, region)) {
    all_ns += each->time_ns;
  }
  table.title = title_of("MPI calls by time", region);
  table.label_width = 34;
  table.columns = {
      {"calls", 8},
      {"time", 10, false, "sum over threads"},
      {"MPI", 7, false, "% of the time in MPI"},
      {"waiting", 8, false, "% of their time, for a late partner"},
      {"for rank", 11, false, "that it was most for, % of the waiting"}};
  add_rows(
      report, region, most,
      [&](const CallTotals& each) -> std::vector<TableCell> {
        return {cell(CellUnit::kAmount, each.calls),
                cell(CellUnit::kNs, each.time_ns),
                share(each.time_ns, all_ns),
                share(each.waiting_ns, each.time_ns),
                {.text = waits(each) && !each.late.ranks.empty()
                             ? share_of(each, latest_of(each).front())
                             : "-"}};
      },
      &table);
  return table;
}

Table call_partners(const JobReport& report, const std::string& region,
                    size_t most) {
  constexpr size_t kNamed = 5;
  Table table;
  table.title = title_of("Whom they waited for", region);
  table.label_width = 34;
  table.columns = {{"waited", 10},
                   {"ranks", 0, true, "and their shares of the waiting"}};
  add_rows(
      report, region, most,
      [&](const CallTotals& each) -> std::vector<TableCell> {
        std::vector<std::string> names;
        for (const LateRank& late : latest_of(each)) {
          if (waits(each) && late.waiting_ns > late.error_ns) {
            names.push_back(share_of(each, late));
          }
        }
        return {cell(CellUnit::kNs, each.waiting_ns),
                {.text = names.empty() ? "-" : some_of(names, kNamed)}};
      },
      &table);
  return table;
}

Table call_traffic(const JobReport& report, const std::string& region,
                   size_t most) {
  Table table;
  table.title = title_of("What they moved", region);
  table.label_width = 34;
  table.columns = {{"sent", 9, false, "bytes"},
                   {"received", 10, false, "bytes"},
                   {"messages", 10},
                   {"largest", 9, false, "less than so many bytes"},
                   {"ranks", 7, false, "of the largest communicator"}};
  add_rows(
      report, region, most,
      [&](const CallTotals& each) -> std::vector<TableCell> {
        int64_t messages = 0;
        for (const SizeClass& size : each.sizes) messages += size.messages;
        return {cell(CellUnit::kAmount, each.sent_bytes),
                cell(CellUnit::kAmount, each.received_bytes),
                cell(CellUnit::kAmount, messages),
                each.sizes.empty()
                    ? TableCell{CellUnit::kAmount}
                    : cell(CellUnit::kAmount, each.sizes.back().below_bytes),
                each.comm_size > 0 ? cell(CellUnit::kCount, each.comm_size)
                                   : TableCell{CellUnit::kCount}};
      },
      &table);
  return table;
}

Table granularity(const JobReport& report, size_t most) {
  Table table;
  if (report.calls.empty()) return table;
  table.title = "Granularity of MPI calls";
  table.label_width = 33;
  table.columns = {{"calls", 9},
                   {"useful", 11, false, "time of all threads, for each"},
                   {"collectives", 13},
                   {"useful", 11}};
  size_t rows = 0;
  for (const RegionReport& region : report.regions) {
    int64_t calls = 0;
    int64_t collectives = 0;
    for (const CallTotals* each : calls_of(report, region.totals.name)) {
      calls += each->calls;
      collectives += each->collectives;
    }
    if (calls == 0 || ++rows > most) continue;
    const auto useful = static_cast<double>(region.totals.useful_sum_ns);
    const auto each_of = [&](int64_t number) {
      return TableCell{CellUnit::kNs,
                       ratio(useful, static_cast<double>(number))};
    };
    table.rows.push_back(
        {region.totals.name,
         {cell(CellUnit::kAmount, calls), each_of(calls),
          cell(CellUnit::kAmount, collectives), each_of(collectives)}});
  }
  return table;
}

}  // namespace poprt
