#include "model/call_reports.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace poprt {
namespace {

constexpr size_t kShownCalls = 40;  // of each region

}  // namespace

std::vector<CallReport> call_reports(std::vector<CallTotals> calls,
                                     const std::vector<std::string>& regions,
                                     const Locate& locate) {
  keep_heaviest(kShownCalls, &calls);
  std::vector<CallReport> reports;
  for (const std::string& region : regions) {
    const size_t first = reports.size();
    for (CallTotals& each : calls) {
      if (each.region == region) reports.push_back({std::move(each), ""});
    }
    std::ranges::sort(
        reports.begin() + static_cast<ptrdiff_t>(first), reports.end(),
        [](const CallReport& a, const CallReport& b) {
          const auto place = [](const CallTotals& call) {
            return std::make_tuple(call.function.empty(), -call.time_ns);
          };
          const auto place_a = place(a.totals);
          const auto place_b = place(b.totals);
          return place_a != place_b ? place_a < place_b
                                    : before(a.totals, b.totals);
        });
  }
  std::vector<ConstructTotals> places;
  for (const CallReport& each : reports) {
    ConstructTotals place;
    place.module = each.totals.module;
    place.offset = each.totals.offset;
    if (!each.totals.module.empty()) places.push_back(std::move(place));
  }
  if (locate == nullptr || places.empty()) return reports;
  const std::vector<std::string> names = locate(places);
  size_t next = 0;
  for (CallReport& each : reports) {
    if (!each.totals.module.empty()) each.location = names[next++];
  }
  return reports;
}

}  // namespace poprt
