// All about a metric in one place: an entry with its key, label, place in the
// hierarchy, formula and loss, in the file of its model (pop_model.h, ...).
// Its meaning in words is its paragraph in docs/metrics.md, docs/counters.md or
// docs/io.md.  The run file, the reports and the tests use these entries.
#ifndef POPRT_MODEL_METRIC_TABLE_H_
#define POPRT_MODEL_METRIC_TABLE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "model/metrics.h"
#include "model/terms.h"
#include "states/states.h"

namespace poprt {

enum class Model {
  kPop,
  kCriticalPath,
  kMultiplicative,
  kAdditive,
  kTalp,
  kComputation,
  kIo,
  kMpiTime,
  kWaiting
};
inline constexpr Model kModels[] = {
    Model::kPop,      Model::kCriticalPath, Model::kMultiplicative,
    Model::kAdditive, Model::kTalp,         Model::kComputation,
    Model::kIo,       Model::kMpiTime,      Model::kWaiting};

// "critical_path": the name in JSON and POPRT_MODEL.
const char* key_of(Model model);
// Whether a user means this model: by its key, its short name or "all".
bool is_meant(Model model, std::string_view word);
// "Hybrid, critical path": the name in the text report.  `layers` says of a
// model that has rows for each layer which ones the program has.
std::string label_of(Model model, const std::string& layers = "Hybrid");

// A program without this layer, or a run without counters or measured POSIX
// I/O, does not have the row: NaN, null, left out of the text.
// kDeviceTime: of devices whose operations were told.
// kFloatingPoint: any counter of floating-point instructions.  Rows of kIo are
// undefined if neither MPI-IO nor POSIX I/O was measured.
// A layer has the rows that a model defines for it.  The hybrid models split
// what is lost between MPI and OpenMP: that is by their sources, and a further
// layer of the program has no row in them.
enum class Layer {
  kAny,
#define POPRT_ENUMERATOR(enumerator, ...) enumerator,
  POPRT_LAYERS(POPRT_ENUMERATOR)
#undef POPRT_ENUMERATOR
      kCounters,
  kFloatingPoint,
  kIo,
  kPosix,
  kDeviceTime
};

// Whether it is one of those that bring threads into states, and which.
constexpr bool is_of_program(Layer layer) {
  return layer > Layer::kAny && layer < Layer::kCounters;
}
constexpr EventLayer event_layer(Layer layer) {
  return static_cast<EventLayer>(static_cast<int>(layer) - 1);
}

// Whether the row needs counters, which is another thing to miss than a layer.
inline bool is_counted(Layer layer) {
  return layer == Layer::kCounters || layer == Layer::kFloatingPoint;
}

// What a value is.  Only fractions are efficiencies: they have a grade, a range
// and a loss.  Shares are shown in percent, too.
enum class MetricUnit {
  kFraction,
  kNumber,
  kCount,
  kGigahertz,
  kShare,
  kBytes,
  kBytesPerSecond
};

// Whether a value is between 0 and 1, and why a value may be outside.
enum class Range {
  kInside,
  kCompensation,   // above 1: threads make up for what MPI lost
  kOpenMpWaits,    // above 1: threads wait in OpenMP for one that is in MPI
  kUnequalVisits,  // above 1: processes spent unequal time in the region
  kUnequalCalls,   // above 1: the calls to accelerators take unequal time
  // above 1: other threads work while the primary thread does not
  kOtherThreads,
  kMistake,
};

struct Metric {
  // For rows that are shown like a metric but have no value in Metrics.
  static constexpr size_t kNoPlace = static_cast<size_t>(-1);

  Model model;
  const char* key;    // never changes once released
  const char* label;  // as POP users know it
  int depth;          // in the hierarchy of its model
  Layer layer;
  size_t place = kNoPlace;  // in Metrics, see place_of
  double (*formula)(const Inputs&) = nullptr;
  double (*loss)(const Inputs&) = nullptr;  // see losses_of()
  // What it says in words if it has the largest loss; nullptr if the rows below
  // say it.
  const char* cause = nullptr;
  Range above = Range::kMistake;  // the reason if it exceeds 1
  MetricUnit unit = MetricUnit::kFraction;
  bool less_is_better = false;
  // Part of a load balance: inside nodes or between them.  Runs on one node
  // have it, too, but reports do not show it there.
  bool of_nodes = false;

  double value(const Metrics& metrics) const;
  bool is_efficiency() const { return unit == MetricUnit::kFraction; }
  bool operator==(const Metric& other) const { return place == other.place; }
};

// Whether it is a share of what all threads of the job have done.
constexpr bool is_of_all_threads(const Metric& metric) {
  return metric.layer == Layer::kAny ||
         (metric.layer == Layer::kIo && metric.unit == MetricUnit::kFraction);
}

// "MPI Parallel" of "MPI Parallel Efficiency", where most rows are
// efficiencies.
std::string short_label(const Metric& metric);

// `metric` as a row that reports show for several nodes only.
constexpr Metric of_nodes(Metric metric) {
  metric.of_nodes = true;
  return metric;
}

// All metrics: models in the order of kModels, metrics in the order of the
// report.
std::span<const Metric> all_metrics();
// The metrics of one model.
std::span<const Metric> metrics_in(Model model);

// Judged as it is shown: 1 + 10^-9 is rounding.
bool in_range(double value);
Range range_of(const Metric& metric, double value);
// The reason in words.  REQUIRES: not kInside.
const char* reason_of(Range range);

}  // namespace poprt

#endif  // POPRT_MODEL_METRIC_TABLE_H_
