// Checks for what shows the results of tests: the XML of JUnit, as Jenkins and
// GitLab read it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "compare/checks.h"
#include "report/format.h"

namespace poprt {
namespace {

// Whether XML 1.0 may hold this character of three bytes: no shorter ones in
// disguise, no surrogates, neither U+FFFE nor U+FFFF.
bool is_xml(std::string_view sequence) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(sequence[i]);
  };
  const unsigned code =
      (byte(0) & 0x0fU) << 12 | (byte(1) & 0x3fU) << 6 | (byte(2) & 0x3fU);
  return code >= 0x800 && (code < 0xd800 || code > 0xdfff) && code < 0xfffe;
}

// Of four: between U+10000 and U+10FFFF.
bool is_xml_plane(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  const auto second = static_cast<unsigned char>(sequence[1]);
  return (first > 0xf0 || second >= 0x90) && (first < 0xf4 || second < 0x90);
}

// Text inside an attribute; what no XML may hold becomes '?'.
std::string escaped(const std::string& raw) {
  const std::string text = printable(raw);
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::string_view rest = std::string_view(text).substr(i);
    const size_t length = c < 0xe0 ? 1 : c < 0xf0 ? 3 : 4;
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (length == 1) {
      result += text[i];
    } else {
      const bool good = length == 3 ? is_xml(rest) : is_xml_plane(rest);
      result += good ? rest.substr(0, length) : "?";
      i += length - 1;
    }
  }
  return result;
}

std::string test_case(const Check& check) {
  const std::string start =
      fmt::format("  <testcase classname=\"{}.{}\" name=\"{} ({})\"",
                  escaped(check.configuration), escaped(check.region),
                  escaped(check.metric), escaped(check.origin));
  if (passed(check)) return start + "/>\n";
  const std::string what =
      std::isnan(check.value)
          ? fmt::format("undefined, must be at least {:.4f}: {}", check.least,
                        check.reason)
          : fmt::format("{:.4f}, must be at least {:.4f}", check.value,
                        check.least);
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
