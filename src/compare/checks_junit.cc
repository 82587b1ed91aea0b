// Writes checks as JUnit's XML, as Jenkins and GitLab read it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "compare/checks.h"
#include "document/format.h"
#include "document/xml_text.h"

namespace poprt {
namespace {

// Text for an attribute.
std::string escaped(const std::string& raw) { return xml_text(printable(raw)); }

std::string test_case(const Check& check) {
  const std::string start =
      fmt::format("  <testcase classname=\"{}.{}\" name=\"{} ({})\"",
                  escaped(check.configuration), escaped(check.region),
                  escaped(check.metric), escaped(check.origin));
  if (passed(check)) return start + "/>\n";
  const bool undefined = std::isnan(check.value);
  const std::string what =
      fmt::format("{}, must be at {} {}{}",
                  undefined ? "undefined" : number_of(check, check.value),
                  check.bound == Bound::kLeast ? "least" : "most",
                  number_of(check, check.limit),
                  check.reason.empty() ? "" : ": " + check.reason);
  return start + ">\n   <failure message=\"" + escaped(what) +
         "\"/>\n  </testcase>\n";
}

}  // namespace

std::string checks_junit(const std::vector<Check>& checks) {
  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\"", checks.size(),
      std::count_if(checks.begin(), checks.end(),
                    [](const Check& check) { return !passed(check); }));
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n"
      " <testsuite name=\"poprt check\" {}>\n",
      counts, counts);
  for (const Check& check : checks) xml += test_case(check);
  return xml + " </testsuite>\n</testsuites>\n";
}

}  // namespace poprt
