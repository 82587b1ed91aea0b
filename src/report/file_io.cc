#include "report/file_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "document/format.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "report/core_time.h"

namespace poprt {
namespace {

// Of a region's core time.
constexpr double kMuch = 0.05;

int64_t io_ns(const RegionTotals& region) {
  return amount(region, kMpiIo) + amount(region, kPosixIo);
}

}  // namespace

std::vector<std::string> regions_of_file_io(const JobReport& report) {
  std::vector<std::string> list;
  for (const RegionReport& region : report.regions) {
    const int64_t io = io_ns(region.totals);
    if (!(ratio(static_cast<double>(io),
                static_cast<double>(region.totals.elapsed_weighted_ns)) >=
          kMuch)) {
      continue;
    }
    std::string name = shortened(printable(region.totals.name), 30);
    // The bars show that of the whole job.
    if (&region == global_region(report)) {
      name += fmt::format(" ({} %)", percent(share_of_job(report, io)));
    }
    list.push_back(std::move(name));
  }
  return list;
}

Table file_system_table(const std::vector<FileSystem>& file_systems,
                        const char* what, const char* key, size_t most) {
  std::vector<const FileSystem*> order;
  double all_ns = 0;
  for (const FileSystem& each : file_systems) {
    order.push_back(&each);
    all_ns += static_cast<double>(each.time_ns);
  }
  // Those that took the same time are in the order of the totals.
  std::ranges::sort(order, [](const FileSystem* a, const FileSystem* b) {
    return a->time_ns != b->time_ns ? a->time_ns > b->time_ns : a < b;
  });
  Table table;
  table.title = fmt::format("{} by file system", what);
  table.key = key;
  table.columns = {{"type"},
                   {"time", "in calls, all threads"},
                   {"%", fmt::format("of the time in {}", what)},
                   {"read", "bytes"},
                   {"written", "bytes"},
                   {"calls"}};
  for (size_t i = 0; i < order.size() && i < most; ++i) {
    const FileSystem& each = *order[i];
    const auto cell = [](CellUnit unit, int64_t value) {
      return TableCell{unit, static_cast<double>(value)};
    };
    table.rows.push_back(
        {each.mount_point.empty() ? "others" : each.mount_point,
         {TableCell{.text = each.type.empty() ? "?" : each.type},
          cell(CellUnit::kNs, each.time_ns),
          {CellUnit::kPercent,
           ratio(static_cast<double>(each.time_ns), all_ns)},
          cell(CellUnit::kAmount, each.read_bytes),
          cell(CellUnit::kAmount, each.written_bytes),
          cell(CellUnit::kAmount, each.calls)}});
  }
  if (order.size() > most) {
    table.more =
        fmt::format("and {} more in the run file", order.size() - most);
  }
  return table;
}

}  // namespace poprt
