#include "run_file/rows.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "model/members.h"

namespace poprt {
namespace {

using Column = std::vector<int64_t>;

// A column of `length` counts; else a complaint and zeros.
Column read_column(const Cursor& columns, const char* name, size_t length) {
  const Cursor cursor = columns[name];
  Column column = cursor.counts();
  if (column.size() != length) {
    cursor.expect(false, "has " + std::to_string(column.size()) +
                             " items; rank has " + std::to_string(length));
  }
  column.resize(length);
  return column;
}

// The column of ranks, which says how long the others are.
Column read_ranks(const Cursor& columns) {
  const Cursor cursor = columns["rank"];
  Column ranks = cursor.counts();
  cursor.expect(std::adjacent_find(ranks.begin(), ranks.end(),
                                   std::greater_equal<>()) == ranks.end(),
                "is not in ascending order");
  return cursor.ok() ? ranks : Column();
}

}  // namespace

void read_places(const Cursor& processes, JobTotals* totals) {
  if (processes.is_null()) return;
  const Column ranks = read_ranks(processes);
  const Column hosts = read_column(processes, "host", ranks.size());
  const Column threads = read_column(processes, "threads", ranks.size());
  processes["rank"].expect(ranks.empty() || ranks.back() < totals->processes,
                           "has a rank that is not less than run.ranks");
  const auto known = static_cast<int64_t>(totals->hosts.size());
  processes["host"].expect(
      std::all_of(hosts.begin(), hosts.end(),
                  [&](int64_t host) { return host < known; }),
      "has a host that is not in run.hosts");
  if (!processes.ok()) return;
  std::vector<uint64_t> keys;
  for (const HostShare& host : totals->hosts) {
    keys.push_back(region_key(host.name.data(), host.name.size()));
  }
  for (size_t i = 0; i < ranks.size(); ++i) {
    totals->places.push_back(
        {ranks[i], keys[static_cast<size_t>(hosts[i])], threads[i]});
  }
}

void read_rows(const Cursor& rows, const JobTotals& job, RegionTotals* region) {
  if (rows.is_null()) return;
  const Column ranks = read_ranks(rows);
  Column known;
  for (const ProcessPlace& place : job.places) known.push_back(place.rank);
  rows["rank"].expect(
      std::includes(known.begin(), known.end(), ranks.begin(), ranks.end()),
      "has a rank that is not in processes.rank");
  region->rows.resize(rows.ok() ? ranks.size() : 0);
  for (const Member<ProcessRow>& member : kRowMembers) {
    const Column column = read_column(rows, member.name, region->rows.size());
    double sum = 0;
    for (size_t i = 0; i < column.size(); ++i) {
      region->rows[i].*member.value = column[i];
      sum += static_cast<double>(column[i]);
    }
    rows[member.name].expect(sum < static_cast<double>(kLargestInteger),
                             "has a sum out of range");
  }
}

}  // namespace poprt
