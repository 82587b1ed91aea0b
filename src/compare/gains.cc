#include "compare/gains.h"

#include <fmt/format.h>

#include <string_view>

#include "document/format.h"
#include "model/situation.h"
#include "report/gain.h"

namespace poprt {

std::vector<FindingValue> finding_values(const Configuration& configuration) {
  if (configuration.runs.empty() || is_red(configuration)) return {};
  return finding_values(typical_run(configuration));
}

std::string gain_fields(const Configuration& configuration) {
  std::string loss, low, high;
  for (const FindingValue& each : finding_values(configuration)) {
    const std::string_view key = each.key;
    if (key == "metric") loss = each.text;
    if (key == "low") low = csv_number(each.number);
    if (key == "high") high = csv_number(each.number);
  }
  return loss + "," + low + "," + high;
}

std::string gain_sentence(const Configuration& configuration) {
  if (configuration.runs.empty() || is_red(configuration)) return "";
  const auto s = situation_of(typical_run(configuration));
  if (!s || !s->gain) return "";
  return fmt::format("{}: the largest loss is {}. {}", configuration.name,
                     short_label(s->loss->metric),
                     gain_words(*s->gain, s->report.totals.has_devices));
}

}  // namespace poprt
