#include "report/mpi_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/format.h"
#include "model/ratio.h"
#include "report/site_tables.h"

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

std::string name_of(const CallReport& call) {
  const CallTotals& totals = call.totals;
  if (totals.function.empty()) return "others";
  std::string label = totals.function.substr(totals.function.find('_') + 1);
  if (!call.location.empty()) label += " " + call.location;
  return label;
}

// The other regions in which the code at this address makes the call.
std::vector<std::string> regions_of(const JobReport& report,
                                    const CallTotals& call) {
  std::vector<std::string> names;
  for (const CallReport& each : report.calls) {
    CallTotals here = call;
    here.region = each.totals.region;
    if (here.region != call.region && !before(here, each.totals) &&
        !before(each.totals, here)) {
      names.push_back(here.region);
    }
  }
  return names;
}

// Rows that would look alike say where they differ.
std::string label_of(const JobReport& report, const CallReport& call) {
  constexpr size_t kNamed = 2;
  const std::string name = name_of(call);
  const bool is_alone =
      std::ranges::none_of(report.calls, [&](const CallReport& each) {
        return &each != &call && each.totals.region == call.totals.region &&
               name_of(each) == name;
      });
  if (is_alone) return name;
  const std::vector<std::string> regions = regions_of(report, call.totals);
  return regions.empty() ? fmt::format("{} +0x{:x}", name, call.totals.offset)
                         : name + " in " + some_of(regions, kNamed);
}

// The rows of a region; `cells_of` tells what is in them.
template <class CellsOf>
void add_rows(const JobReport& report, const std::string& region, size_t most,
              CellsOf cells_of, Table* table) {
  add_site_rows(
      report.calls, region, most,
      [&](const CallReport& call) { return label_of(report, call); }, cells_of,
      table);
}

}  // namespace

Table call_times(const JobReport& report, const std::string& region,
                 size_t most) {
  Table table;
  int64_t all_ns = 0;
  for (const CallTotals* each : calls_of(report, region)) {
    all_ns += each->time_ns;
  }
  table.key = "mpi_calls";
  table.title = title_of_sites("MPI calls by time", region);
  table.columns = {
      {"calls"},
      {"time", "sum over threads"},
      {"MPI", "% of the time in MPI"},
      {"waiting", "% of their time, for a late partner"},
      {"for rank",
       "that it was most for, % of the waiting, or how many alike"}};
  add_rows(
      report, region, most,
      [&](const CallTotals& each) -> std::vector<TableCell> {
        return {site_cell(CellUnit::kAmount, each.calls),
                site_cell(CellUnit::kNs, each.time_ns),
                site_share(each.time_ns, all_ns),
                site_share(each.waiting_ns, each.time_ns),
                latest_cell(each.late, each.waiting_ns, each.time_ns)};
      },
      &table);
  return table;
}

Table call_partners(const JobReport& report, const std::string& region,
                    size_t most) {
  Table table;
  table.title = title_of_sites("Whom they waited for", region);
  table.columns = {{"waited"},
                   {.name = "ranks",
                    .meaning = "and their shares of the waiting",
                    .is_text = true}};
  add_rows(
      report, region, most,
      [&](const CallTotals& each) -> std::vector<TableCell> {
        return {site_cell(CellUnit::kNs, each.waiting_ns),
                late_cell(each.late, each.waiting_ns, each.time_ns)};
      },
      &table);
  return table;
}

Table call_traffic(const JobReport& report, const std::string& region,
                   size_t most) {
  Table table;
  table.title = title_of_sites("What they moved", region);
  table.columns = {{"sent", "bytes"},
                   {"received", "bytes"},
                   {"messages"},
                   {"largest", "less than so many bytes"},
                   {"ranks", "of the largest communicator"}};
  add_rows(
      report, region, most,
      [&](const CallTotals& each) -> std::vector<TableCell> {
        int64_t messages = 0;
        for (const SizeClass& size : each.sizes) messages += size.messages;
        return {site_cell(CellUnit::kAmount, each.sent_bytes),
                site_cell(CellUnit::kAmount, each.received_bytes),
                site_cell(CellUnit::kAmount, messages),
                each.sizes.empty() ? TableCell{CellUnit::kAmount}
                                   : site_cell(CellUnit::kAmount,
                                               each.sizes.back().below_bytes),
                each.comm_size > 0 ? site_cell(CellUnit::kCount, each.comm_size)
                                   : TableCell{CellUnit::kCount}};
      },
      &table);
  return table;
}

Table granularity(const JobReport& report, size_t most) {
  Table table;
  if (report.calls.empty()) return table;
  table.key = "granularity";
  table.title = "Granularity of MPI calls";
  table.columns = {
      {"calls"},
      {"useful/call", "time of all threads, for each call"},
      {"collectives"},
      {"useful/coll.", "time of all threads, for each collective"}};
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
         {site_cell(CellUnit::kAmount, calls), each_of(calls),
          site_cell(CellUnit::kAmount, collectives), each_of(collectives)}});
  }
  return table;
}

}  // namespace poprt
