#include "command/thresholds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

#include "command/metric_docs.h"
#include "command/suggestion.h"
#include "document/format.h"

namespace poprt {
namespace {

// What may follow a number, and what that makes of it.
struct Suffix {
  const char* text;
  double times = 1;
  double over = 1;  // a quotient is rounded once: 70 % is 0.7
};

// What users write for the metrics of one unit.
struct Spelling {
  MetricUnit unit;
  std::span<const Suffix> suffixes;
  double most;
  const char* is;  // "the value is not ..."
  // What may follow the suffix.
  std::string_view ending = "";
};

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr Suffix kFractions[] = {{""}, {.text = "%", .over = 100}};
constexpr Suffix kNumbers[] = {{""}};
constexpr Suffix kCounts[] = {{""},       {"k", 1e3},  {"M", 1e6},
                              {"G", 1e9}, {"T", 1e12}, {"P", 1e15}};
constexpr Suffix kFrequencies[] = {
    {""}, {"GHz"}, {.text = "MHz", .over = 1000}};

constexpr Spelling kSpellings[] = {
    {MetricUnit::kFraction, kFractions, 1, "one of 0 to 1 or 0% to 100%"},
    {MetricUnit::kShare, kFractions, 1, "one of 0 to 1 or 0% to 100%"},
    {MetricUnit::kNumber, kNumbers, kNoLimit, "a number from 0"},
    {MetricUnit::kCount, kCounts, kNoLimit,
     "a count from 0, like 2000, 3e9 or 3G (k, M, G, T, P)"},
    {MetricUnit::kBytes, kCounts, kNoLimit,
     "a number of bytes from 0, like 2000, 3e9 or 3GB (k, M, G, T, P)", "B"},
    {MetricUnit::kBytesPerSecond, kCounts, kNoLimit,
     "a bandwidth from 0, like 3e9 or 3GB/s (k, M, G, T, P)", "B/s"},
    {MetricUnit::kGigahertz, kFrequencies, kNoLimit,
     "a frequency from 0, like 2.5 (GHz), 2.5GHz or 2500MHz"},
};

const Spelling& spelling_of(MetricUnit unit) {
  return *std::find_if(
      std::begin(kSpellings), std::end(kSpellings),
      [unit](const Spelling& each) { return each.unit == unit; });
}

}  // namespace

std::optional<Threshold> parse_threshold(const std::string& text, Bound bound,
                                         Model usual, std::string* complaint) {
  const auto wrong = [&](const std::string& what) {
    *complaint = (bound == Bound::kLeast ? "--min " : "--max ") +
                 printable(text) + ": " + what;
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
  const std::string region = has_region ? name.substr(0, slash) : kGlobalRegion;
  const auto found = metric_named(metric, usual);
  const JobNumber* const of_job = found ? nullptr : job_number_named(metric);
  if (!found && of_job == nullptr) {
    return wrong("no metric \"" + printable(metric) + "\"." +
                 did_you_mean_metric(metric) +
                 " poprt explain lists them all.");
  }
  if (of_job != nullptr && region != kGlobalRegion) {
    return wrong(std::string(of_job->key) +
                 " is of the whole run: leave the region away.");
  }
  const MetricUnit unit = found ? found->unit : of_job->unit;
  const auto limit = parse_value(text.substr(equals + 1), unit);
  if (!limit) {
    return wrong(std::string("the value is not ") + spelling_of(unit).is + ".");
  }
  return Threshold{region, found.value_or(Metric{}), *limit, bound, of_job};
}

std::optional<double> parse_fraction(const std::string& text) {
  return parse_value(text, MetricUnit::kFraction);
}

std::optional<double> parse_value(const std::string& text, MetricUnit unit) {
  const Spelling& spelling = spelling_of(unit);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, value);
  if (number.ec != std::errc()) return std::nullopt;
  std::string_view rest(number.ptr, static_cast<size_t>(end - number.ptr));
  if (rest.ends_with(spelling.ending)) {
    rest.remove_suffix(spelling.ending.size());
  }
  for (const Suffix& suffix : spelling.suffixes) {
    if (rest != suffix.text) continue;
    value = value * suffix.times / suffix.over;
    // This is false for NaN, too.
    return value >= 0 && value <= spelling.most && std::isfinite(value)
               ? std::optional(value)
               : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace poprt
