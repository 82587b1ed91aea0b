#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compare/checks.h"
#include "document/format.h"

namespace poprt {
namespace {

constexpr int kMostDigits = 17;

int digits_of(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kCount:
    case MetricUnit::kBytes:
    case MetricUnit::kBytesPerSecond:
      return 0;
    default:
      return 4;
  }
}

const char* name_of(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kBytes:
      return " B";
    case MetricUnit::kBytesPerSecond:
      return " B/s";
    case MetricUnit::kGigahertz:
      return " GHz";
    default:
      return "";
  }
}

Fact fact_of(const Check& check) {
  const bool good = passed(check);
  const std::string limit = number_of(check, check.limit);
  const char* const relation =
      check.bound == Bound::kLeast ? (good ? ">=" : "<") : (good ? "<=" : ">");
  const std::string what =
      !check.words.empty() ? fmt::format("{} ({})", check.words, check.origin)
      : std::isnan(check.value)
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
  // So many digits that no number seems to be equal to its limit.
  int digits = digits_of(check.unit);
  const auto text = [&](double each) {
    return fmt::format("{:.{}f}", each, digits);
  };
  while (check.value != check.limit && digits < kMostDigits &&
         text(check.value) == text(check.limit)) {
    ++digits;
  }
  return text(number) + name_of(check.unit);
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
