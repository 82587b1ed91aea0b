// What the rows of processes say: each column in one line, and the processes
// at its ends rather than all of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "model/members.h"
#include "report/format.h"
#include "report/table.h"
#include "report/writers.h"

namespace poprt {
namespace {

// Processes listed at each end.
constexpr size_t kListed = 5;
constexpr size_t kHostWidth = 11;

struct Line {
  const char* label;
  int64_t ProcessRow::*value;
};
constexpr Line kLines[] = {
    {"elapsed", &ProcessRow::elapsed_ns},
    {"useful", &ProcessRow::useful_ns},
    {"  busiest thread", &ProcessRow::useful_max_ns},
    {"  serial", &ProcessRow::serial_ns},
    {"MPI", &ProcessRow::mpi_ns},
    {"  MPI-IO", &ProcessRow::mpi_io_ns},
    {"OpenMP", &ProcessRow::omp_ns},
    {"outside MPI", &ProcessRow::outside_mpi_ns},
};

struct Place {
  std::string host;
  int64_t threads;
};
using Places = std::map<int64_t, Place>;  // by rank

Places places_of(const JobTotals& job) {
  std::map<uint64_t, std::string> names;
  for (const HostShare& host : job.hosts) {
    names[region_key(host.name.data(), host.name.size())] = host.name;
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

std::string summary_line(const Line& line,
                         const std::vector<ProcessRow>& rows) {
  const auto less = [&](const ProcessRow& a, const ProcessRow& b) {
    return a.*line.value < b.*line.value;
  };
  const auto least = std::min_element(rows.begin(), rows.end(), less);
  const auto most = std::max_element(rows.begin(), rows.end(), less);
  if (*most.*line.value == 0) return "";
  int64_t sum = 0;
  for (const ProcessRow& row : rows) sum += row.*line.value;
  return fmt::format(" {:<17} {:>10} {:>10} {:>10} {:>7} {:>10} {:>7}\n",
                     line.label, duration(sum),
                     duration(sum / static_cast<int64_t>(rows.size())),
                     duration(*least.*line.value), least->rank,
                     duration(*most.*line.value), most->rank);
}

std::string process_line(const ProcessRow& row, const Places& places) {
  const Place place = place_of(places, row.rank);
  const double core_ns =
      static_cast<double>(place.threads) * static_cast<double>(row.elapsed_ns);
  const std::string useful =
      core_ns > 0 ? percent(static_cast<double>(row.useful_ns) / core_ns) : "-";
  return fmt::format(" {:>7} {:>7} {:>10} {:>10} {:>6} {:>10} {:>10}  {}\n",
                     row.rank, place.threads, duration(row.elapsed_ns),
                     duration(row.useful_ns), useful, duration(row.mpi_ns),
                     duration(row.omp_ns),
                     shortened(printable(place.host), kHostWidth));
}

// The processes with most useful time and those with least.
std::string process_list(std::vector<ProcessRow> rows, const Places& places) {
  std::sort(rows.begin(), rows.end(),
            [](const ProcessRow& a, const ProcessRow& b) {
              return a.useful_ns != b.useful_ns ? a.useful_ns > b.useful_ns
                                                : a.rank < b.rank;
            });
  std::string text =
      " By useful time\n"
      "    rank threads    elapsed     useful      %        MPI     OpenMP  "
      "host\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == kListed && rows.size() > 2 * kListed) {
      i = rows.size() - kListed;
      text += fmt::format("     and {} between\n", i - kListed);
    }
    text += process_line(rows[i], places);
  }
  return text;
}

std::string block_of(const RegionTotals& region, const Places& places) {
  const std::vector<ProcessRow>& rows = region.rows;
  std::string text =
      " Processes of " + shortened(printable(region.name), kReportWidth - 14) +
      "\n                          sum       mean      least    rank       most"
      "    rank\n";
  for (const Line& line : kLines) text += summary_line(line, rows);
  text += process_list(rows, places);
  text +=
      wrapped(" ",
              "(useful, MPI, OpenMP: sums over threads; %: useful, of threads "
              "x elapsed)");
  const auto have = static_cast<int64_t>(rows.size());
  if (have < region.processes) {
    text += fmt::format(
        " (rows of {} of {}: the others ran without POPRT_ROWS=process)\n",
        have, counted(region.processes, "process"));
  }
  return text;
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

std::vector<std::string> process_blocks(const JobReport& report,
                                        const TableOptions& options) {
  const Places places = places_of(report.totals);
  std::vector<std::string> blocks;
  for (const RegionReport* region : regions_with_rows(report, options)) {
    blocks.push_back(block_of(region->totals, places));
  }
  return blocks;
}

std::string csv_processes_heading() {
  std::string text = "file,region,host,threads";
  for (const Member<ProcessRow>& member : kRowMembers) {
    text += std::string(",") + member.name;
  }
  return text + "\n";
}

std::string to_csv_processes(const JobReport& report, const std::string& file,
                             const TableOptions& options) {
  const Places places = places_of(report.totals);
  std::string text;
  for (const RegionReport* region : regions_with_rows(report, options)) {
    const std::string first =
        csv_field(file) + "," + csv_field(region->totals.name);
    for (const ProcessRow& row : region->totals.rows) {
      const Place place = place_of(places, row.rank);
      text +=
          fmt::format("{},{},{}", first, csv_field(place.host), place.threads);
      for (const Member<ProcessRow>& member : kRowMembers) {
        text += fmt::format(",{}", row.*member.value);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace poprt
