#include "command/thresholds.h"

#include <charconv>

#include "command/metric_docs.h"
#include "command/suggestion.h"
#include "report/format.h"

namespace poprt {

std::optional<Threshold> parse_threshold(const std::string& text, Model usual,
                                         std::string* complaint) {
  const auto wrong = [&](const std::string& what) {
    *complaint = "--min " + printable(text) + ": " + what;
    return std::nullopt;
  };
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos) {
    return wrong("is not [REGION/]METRIC=VALUE.");
  }
  // A region's name may contain slashes, a metric's does not.
  const std::string name = text.substr(0, equals);
  const size_t slash = name.rfind('/');
  const bool has_region = slash != std::string::npos;
  const std::string metric = has_region ? name.substr(slash + 1) : name;
  const auto found = metric_named(metric, usual);
  if (!found) {
    return wrong("no metric \"" + printable(metric) + "\"." +
                 did_you_mean_metric(metric) +
                 " poprt explain lists them all.");
  }
  const auto least = parse_fraction(text.substr(equals + 1));
  if (!least) return wrong("the value is not one of 0 to 1 or 0% to 100%.");
  return Threshold{has_region ? name.substr(0, slash) : kGlobalRegion, *found,
                   *least};
}

std::optional<double> parse_fraction(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, value);
  const std::string unit(number.ptr, end);
  if (unit == "%") value /= 100;
  const bool good = number.ec == std::errc() && (unit.empty() || unit == "%");
  // This is false for NaN, too.
  return good && value >= 0 && value <= 1 ? std::optional(value) : std::nullopt;
}

}  // namespace poprt
