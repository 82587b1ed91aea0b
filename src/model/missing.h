// Why a metric of a region has no value.
#ifndef POPRT_MODEL_MISSING_H_
#define POPRT_MODEL_MISSING_H_

#include <array>
#include <cstdint>

#include "model/metrics.h"

namespace poprt {

enum class Missing : uint8_t {
  kNothing,  // it is known
  kNoSuchTime,
  kNoClocks,      // of the region: they did not travel with all messages
  kUnmeasured,    // no clocks: some processes ran without the library
  kLayer,         // the program does not have the metric's layer
  kUnknownLayer,  // nor is it known whether the program has it
  kUnseenOpenMp,
  kOpenMpEnded,
  kUnequalEnds,
  kOtherTeams,   // which the model does not have
  kAccelerator,  // it is not told apart from calls to accelerators
  kImported,     // what the run was imported from does not tell it
  kCoow,         // a clock that is kept if the user asks for it
  kNotTold,      // by the run file
  kIoNotMeasured,
  kNotCounted,
  kFloatsNotCounted,
  kNoDevice,  // that has told of its operations
};

// Why values of a region are not known.
struct MissingValues {
  // For each metric, at its place in Metrics: its value or its loss.
  std::array<Missing, kMetricCount> metrics{};
  Missing run_time = Missing::kNothing;
};

// REQUIRES: `metrics` and `losses` are those of the region with these layers.
MissingValues missing_in(const RegionTotals& region, const Layers& layers,
                         const Metrics& metrics, const Metrics& losses);

}  // namespace poprt

#endif  // POPRT_MODEL_MISSING_H_
