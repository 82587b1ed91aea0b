#include "report/site_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/format.h"
#include "model/job.h"
#include "model/ratio.h"

namespace poprt {

std::string share_of(int64_t waiting_ns, const LateRank& late) {
  const int64_t least_ns = late.waiting_ns - late.error_ns;
  return fmt::format(
      "{}{} {:.0f} %", late.rank, late.error_ns > 0 ? " >" : "",
      100.0 * static_cast<double>(least_ns) / static_cast<double>(waiting_ns));
}

std::vector<LateRank> latest_of(const LateRanks& late) {
  std::vector<LateRank> ranks = late.ranks;
  std::ranges::sort(ranks, [](const LateRank& a, const LateRank& b) {
    const int64_t least_a = a.waiting_ns - a.error_ns;
    const int64_t least_b = b.waiting_ns - b.error_ns;
    return least_a != least_b ? least_a > least_b : a.rank < b.rank;
  });
  return ranks;
}

bool waits(int64_t waiting_ns, int64_t time_ns) {
  constexpr double kWorthAWord = 0.005;
  return static_cast<double>(waiting_ns) >
         kWorthAWord * static_cast<double>(time_ns);
}

std::string title_of_sites(const char* what, const std::string& region) {
  return region == kGlobalRegion ? std::string(what)
                                 : fmt::format("{}: {}", what, region);
}

TableCell site_cell(CellUnit unit, int64_t value) {
  return {unit, static_cast<double>(value)};
}

TableCell site_share(int64_t part, int64_t whole) {
  return {CellUnit::kPercent,
          ratio(static_cast<double>(part), static_cast<double>(whole))};
}

TableCell latest_cell(const LateRanks& late, int64_t waiting_ns,
                      int64_t time_ns) {
  constexpr double kAlike = 0.9;  // of the most
  if (!waits(waiting_ns, time_ns) || late.ranks.empty()) return {.text = "-"};
  const std::vector<LateRank> ranks = latest_of(late);
  const auto least = [](const LateRank& each) {
    return static_cast<double>(each.waiting_ns - each.error_ns);
  };
  if (!(least(ranks.front()) > 0)) return {.text = "-"};
  const auto alike = std::ranges::count_if(ranks, [&](const LateRank& each) {
    return least(each) >= kAlike * least(ranks.front());
  });
  return {.text = alike == 1 ? share_of(waiting_ns, ranks.front())
                             : fmt::format("{}{} alike", alike,
                                           late.missing_ns > 0 ? "+" : "")};
}

TableCell late_cell(const LateRanks& late, int64_t waiting_ns,
                    int64_t time_ns) {
  constexpr size_t kNamed = 5;
  std::vector<std::string> names;
  for (const LateRank& each : latest_of(late)) {
    if (waits(waiting_ns, time_ns) && each.waiting_ns > each.error_ns) {
      names.push_back(share_of(waiting_ns, each));
    }
  }
  return {.text = names.empty() ? "-" : some_of(names, kNamed)};
}

}  // namespace poprt
