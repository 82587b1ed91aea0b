#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "compare/checks.h"
#include "report/cells.h"
#include "report/format.h"

namespace poprt {
namespace {

std::string line(const Check& check, bool color) {
  const bool good = passed(check);
  const std::string what =
      std::isnan(check.value)
          ? fmt::format("undefined ({} {:.4f}): {}", check.origin, check.least,
                        check.reason)
          : fmt::format("{:.4f} {} {:.4f} ({})", check.value, good ? ">=" : "<",
                        check.least, check.origin);
  return painted(good ? " good" : " FAIL", good ? ' ' : 'x', color) +
         fmt::format(" {} {}/{}: {}\n", check.configuration,
                     printable(check.region), check.metric, what);
}

}  // namespace

std::string checks_text(const std::vector<Check>& checks, bool color) {
  std::string good;
  std::string bad;
  int64_t failed = 0;
  for (const Check& check : checks) {
    (passed(check) ? good : bad) += line(check, color);
    if (!passed(check)) ++failed;
  }
  return good + bad +
         fmt::format(" {} of {} passed\n",
                     static_cast<int64_t>(checks.size()) - failed,
                     counted(static_cast<int64_t>(checks.size()), "check"));
}

}  // namespace poprt
