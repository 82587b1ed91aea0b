// Writes checks as JUnit's XML, as Jenkins and GitLab read it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "compare/checks.h"
#include "compare/gains.h"
#include "document/format.h"
#include "document/xml_text.h"
#include "model/judge.h"

namespace poprt {
namespace {

// Text for an attribute.
std::string escaped(const std::string& raw) { return xml_text(printable(raw)); }

std::string test_case(const Check& check) {
  const std::string start =
      fmt::format("  <testcase classname=\"{}.{}\" name=\"{} ({})\"",
                  escaped(check.configuration), escaped(check.region),
                  escaped(check.metric), escaped(check.origin));
  const auto with = [&](const char* element, const std::string& message) {
    return start + ">\n   <" + element + " message=\"" + escaped(message) +
           "\"/>\n  </testcase>\n";
  };
  if (!is_made(check)) {
    return with("skipped", "not known: " + check.reason);
  }
  if (passed(check)) return start + "/>\n";
  const bool undefined = std::isnan(check.value);
  const std::string what =
      fmt::format("{}, must be at {} {}{}",
                  undefined ? "undefined" : number_of(check, check.value),
                  check.bound == Bound::kLeast ? "least" : "most",
                  number_of(check, check.limit),
                  check.reason.empty() ? "" : ": " + check.reason);
  return with("failure", what);
}

// `key` as in run files, behind the configuration's name: "4x2.quality.light".
std::string property(const Configuration& configuration, const std::string& key,
                     const std::string& value) {
  return fmt::format("   <property name=\"{}.{}\" value=\"{}\"/>\n",
                     escaped(configuration.name), key, escaped(value));
}

// What makes the light what it is, of all runs; of each cause the worst.
std::string causes(const Configuration& configuration) {
  std::vector<FoundCause> worst;
  const auto add = [&](const JobReport& report) {
    for (const FoundCause& found : judge(report).causes) {
      const auto same = std::ranges::find(
          worst, std::string_view(found.cause.key),
          [](const FoundCause& each) { return each.cause.key; });
      if (same == worst.end()) {
        worst.push_back(found);
      } else if (found.light > same->light) {
        *same = found;
      }
    }
  };
  for (const RunFile& run : configuration.runs) add(run.report);
  for (const RunFile& run : configuration.left_out) add(run.report);
  std::string xml;
  for (const FoundCause& found : worst) {
    xml += property(
        configuration, std::string("quality.causes.") + found.cause.key,
        fmt::format(
            "{} (limit {})",
            std::isnan(found.value) ? "not known" : csv_number(found.value),
            csv_number(found.limit)));
  }
  return xml;
}

std::string properties(const std::vector<Configuration>& configurations) {
  std::string xml = "  <properties>\n";
  for (const Configuration& each : configurations) {
    xml +=
        property(each, "quality.light",
                 key_of(std::max(light_of(each), worst_light(each.left_out))));
    xml += causes(each);
    for (const FindingValue& value : finding_values(each)) {
      const std::string text =
          std::isnan(value.number) ? value.text : csv_number(value.number);
      if (!text.empty()) xml += property(each, value.key_in_file(), text);
    }
  }
  return xml + "  </properties>\n";
}

}  // namespace

std::string checks_junit(const std::vector<Check>& checks,
                         const std::vector<Configuration>& configurations) {
  const auto made = std::ranges::count_if(checks, is_made);
  // A case of its own that fails, because the exit code says so, too.
  const int64_t nothing = made == 0 ? 1 : 0;
  const auto all = static_cast<int64_t>(checks.size());
  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" skipped=\"{}\"", all + nothing,
      std::ranges::count_if(checks, falls_short) + nothing, all - made);
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n"
      " <testsuite name=\"poprt check\" {}>\n",
      counts, counts);
  if (!configurations.empty()) xml += properties(configurations);
  for (const Check& check : checks) xml += test_case(check);
  if (nothing > 0) {
    xml +=
        "  <testcase classname=\"poprt\" name=\"check\">\n   <failure "
        "message=\"nothing was checked\"/>\n  </testcase>\n";
  }
  return xml + " </testsuite>\n</testsuites>\n";
}

}  // namespace poprt
