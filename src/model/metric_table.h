// The one list of metrics: key, label, place in the hierarchy, value.  JSON,
// text, docs/metrics.md and the tests read it; a new metric is a member, a
// line here and a formula.
#ifndef POPRT_MODEL_METRIC_TABLE_H_
#define POPRT_MODEL_METRIC_TABLE_H_

#include <cstddef>
#include <string_view>

#include "model/metrics.h"

namespace poprt {

enum class Model { kPop, kCriticalPath, kMultiplicative, kAdditive, kTalp };
inline constexpr Model kModels[] = {Model::kPop, Model::kCriticalPath,
                                    Model::kMultiplicative, Model::kAdditive,
                                    Model::kTalp};

// "critical_path": in JSON and POPRT_MODEL.
const char* key_of(Model model);
// Whether a user means this model: by its key, its short name or "all".
bool is_meant(Model model, std::string_view word);
// "Hybrid, critical path": in the text report.
const char* label_of(Model model);

// Without this layer the row does not exist: NaN, null, left out of the text.
enum class Layer { kAny, kMpi, kOpenMp };

struct Metric {
  Model model;
  const char* key;    // never changes once released
  const char* label;  // as POP users know it
  int depth;          // in the hierarchy of its model
  Layer layer;
  double (*value)(const Metrics&);
};

// Where a metric lies, and if it is outside of 0 to 1, why.
enum class Range {
  kInside,
  kCompensation,   // above: threads make up for what MPI lost
  kUnequalVisits,  // above: processes spent unequal time in the region
  kOtherThreads,   // above: threads work while the primary's line does not
  kMistake,
};
// As it is shown: 1 + 10^-9 is rounding, not news.
bool in_range(double value);
Range range_of(const Metric& metric, double value);
// The reason in words; REQUIRES: not kInside.
const char* reason_of(Range range);

// All metrics, by model in the order of kModels, each in report order.
const Metric* metric_table(size_t* count);

}  // namespace poprt

#endif  // POPRT_MODEL_METRIC_TABLE_H_
