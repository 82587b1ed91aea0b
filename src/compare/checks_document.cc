#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compare/checks.h"
#include "report/format.h"

namespace poprt {
namespace {

Fact fact_of(const Check& check) {
  const bool good = passed(check);
  const std::string what =
      std::isnan(check.value)
          ? fmt::format("undefined ({} {:.4f}): {}", check.origin, check.least,
                        check.reason)
          : fmt::format("{:.4f} {} {:.4f} ({})", check.value, good ? ">=" : "<",
                        check.least, check.origin);
  return {good ? "good" : "FAIL",
          fmt::format("{} {}/{}: {}", check.configuration, check.region,
                      check.metric, what),
          good ? Grade::kGood : Grade::kPoor};
}

}  // namespace

std::vector<FactList> check_lists(const std::vector<Check>& checks) {
  FactList list = {6};
  list.wraps = false;
  for (const bool wanted : {true, false}) {
    for (const Check& check : checks) {
      if (passed(check) == wanted) list.facts.push_back(fact_of(check));
    }
  }
  const auto good = std::count_if(checks.begin(), checks.end(), passed);
  return {list,
          {1,
           {{"", fmt::format(
                     "{} of {} passed", good,
                     counted(static_cast<int64_t>(checks.size()), "check"))}}}};
}

}  // namespace poprt
