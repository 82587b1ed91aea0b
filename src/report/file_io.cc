#include "report/file_io.h"

#include <fmt/format.h>

#include <vector>

#include "model/quantities.h"
#include "model/ratio.h"
#include "report/format.h"

namespace poprt {
namespace {

// Of a region's core time.
constexpr double kMuch = 0.05;
constexpr size_t kRegionsNamed = 3;

double io_share_of(const RegionTotals& region) {
  const int64_t io = amount(region, kMpiIo) + amount(region, kPosixIo);
  return ratio(static_cast<double>(io),
               static_cast<double>(region.elapsed_weighted_ns));
}

}  // namespace

std::string file_io_warning(const JobReport& report) {
  std::vector<std::string> list;
  for (const RegionReport& region : report.regions) {
    const double share = io_share_of(region.totals);
    if (!(share >= kMuch)) continue;
    list.push_back(fmt::format("{} ({} %)",
                               shortened(printable(region.totals.name), 30),
                               percent(share)));
  }
  if (list.empty()) return "";
  return fmt::format(
      "file I/O takes much of the core time of {}: it is in load balance, "
      "communication and useful time, which may be better or worse than they "
      "are without it. The model io takes it apart.",
      some_of(list, kRegionsNamed));
}

}  // namespace poprt
