#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compare/checks.h"
#include "document/format.h"

namespace poprt {
namespace {

Fact fact_of(const Check& check) {
  const bool good = passed(check);
  const std::string limit = number_of(check, check.limit);
  const char* const relation =
      check.bound == Bound::kLeast ? (good ? ">=" : "<") : (good ? "<=" : ">");
  const std::string what =
      std::isnan(check.value)
          ? fmt::format("undefined ({} {}): {}", check.origin, limit,
                        check.reason)
          : fmt::format("{} {} {} ({})", number_of(check, check.value),
                        relation, limit, check.origin) +
                (check.reason.empty() ? "" : ": " + check.reason);
  return {"",
          fmt::format("{} {}/{}: {}", check.configuration, check.region,
                      check.metric, what),
          good ? Grade::kGood : Grade::kPoor, good ? "good " : "FAIL "};
}

}  // namespace

std::string number_of(const Check& check, double number) {
  // All digits of a count, so that no number seems to be equal to its limit.
  switch (check.unit) {
    case MetricUnit::kCount:
      return fmt::format("{:.0f}", number);
    case MetricUnit::kBytes:
      return fmt::format("{:.0f} B", number);
    case MetricUnit::kBytesPerSecond:
      return fmt::format("{:.0f} B/s", number);
    case MetricUnit::kGigahertz:
      return fmt::format("{:.4f} GHz", number);
    case MetricUnit::kFraction:
    case MetricUnit::kShare:
    case MetricUnit::kNumber:
      break;
  }
  return fmt::format("{:.4f}", number);
}

bool are_good(const std::vector<Check>& checks) {
  return std::ranges::any_of(checks, is_made) &&
         std::ranges::none_of(checks, falls_short);
}

std::vector<std::string> unmade_notes(const std::vector<Check>& checks) {
  struct Unmade {
    std::string where;
    std::string metrics;
    std::string reason;
  };
  std::vector<Unmade> all;
  for (const Check& check : checks) {
    if (is_made(check)) continue;
    const std::string where = check.configuration + " " + check.region;
    const auto found = std::ranges::find_if(all, [&](const Unmade& each) {
      return each.where == where && each.reason == check.reason;
    });
    if (found == all.end()) {
      all.push_back({where, check.metric, check.reason});
    } else {
      found->metrics += ", " + check.metric;
    }
  }
  std::vector<std::string> notes;
  for (const Unmade& each : all) {
    notes.push_back(
        fmt::format("{}: not known of the baseline, so not checked: {} ({}).",
                    printable(each.where), each.metrics, each.reason));
  }
  return notes;
}

std::vector<FactList> check_lists(const std::vector<Check>& checks) {
  FactList list;
  list.wraps = false;
  for (const bool wanted : {true, false}) {
    for (const Check& check : checks) {
      if (is_made(check) && passed(check) == wanted)
        list.facts.push_back(fact_of(check));
    }
  }
  const auto made = std::ranges::count_if(checks, is_made);
  if (made == 0) {
    return {list, {{{"", "nothing was checked", Grade::kPoor, "FAIL "}}}};
  }
  const auto good = std::ranges::count_if(checks, passed);
  return {list,
          {{{"", fmt::format("{} of {} passed", good,
                             counted(static_cast<int64_t>(made), "check"))}}}};
}

}  // namespace poprt
