#include "model/finding_values.h"

#include "model/ratio.h"
#include "model/situation.h"

namespace poprt {

std::vector<FindingValue> all_finding_values(const JobReport& report) {
  using Kind = FindingValue::Kind;
  const auto situation = situation_of(report);
  const Situation* const s =
      situation && situation->loss ? &*situation : nullptr;
  const Gain* const gain = s && s->gain ? &*s->gain : nullptr;
  const Metric* const metric = s ? &s->loss->metric : nullptr;
  return {
      {"metric", Kind::kText, kUndefined,
       s ? std::string(key_of(metric->model)) + "." + metric->key : "", false},
      {"lost", Kind::kNumber, s ? metric->value(s->global.losses) : kUndefined,
       "", false},
      {"low", Kind::kNumber, gain ? gain->low : kUndefined, ""},
      {"high", Kind::kNumber, gain ? gain->high : kUndefined, ""},
      {"kind", Kind::kText, kUndefined, gain ? key_of(gain->kind) : ""},
      {"basis", Kind::kText, kUndefined, gain ? key_of(gain->basis) : ""},
      {"regions", Kind::kCount,
       gain ? static_cast<double>(gain->regions) : kUndefined, ""},
      {"reason", Kind::kText, kUndefined,
       s && s->no_gain ? key_of(*s->no_gain) : ""},
  };
}

std::vector<FindingValue> finding_values(const JobReport& report) {
  std::vector<FindingValue> values = all_finding_values(report);
  if (values.front().text.empty()) values.clear();
  return values;
}

}  // namespace poprt
