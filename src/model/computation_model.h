// The metrics of the model `computation`: from counters, in useful time.
#ifndef POPRT_MODEL_COMPUTATION_MODEL_H_
#define POPRT_MODEL_COMPUTATION_MODEL_H_

#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

inline constexpr Metric kComputationModel[] = {
    {.model = Model::kComputation,
     .key = "instructions",
     .label = "Useful instructions",
     .depth = 0,
     .layer = Layer::kCounters,
     .place =
         place_of<&Metrics::computation, &ComputationMetrics::instructions>,
     .formula = [](const Inputs& x) { return x.counters.instructions; },
     .unit = MetricUnit::kCount,
     .less_is_better = true},
    {.model = Model::kComputation,
     .key = "ipc",
     .label = "IPC",
     .depth = 0,
     .layer = Layer::kCounters,
     .place = place_of<&Metrics::computation, &ComputationMetrics::ipc>,
     .formula =
         [](const Inputs& x) {
           return ratio(x.counters.instructions, x.counters.cycles);
         },
     .unit = MetricUnit::kNumber},
    {.model = Model::kComputation,
     .key = "frequency",
     .label = "Frequency, GHz",
     .depth = 0,
     .layer = Layer::kCounters,
     .place = place_of<&Metrics::computation, &ComputationMetrics::frequency>,
     .formula =
         [](const Inputs& x) {
           return ratio(x.counters.cycles, x.counters.useful_ns);
         },
     .unit = MetricUnit::kGigahertz},
};

}  // namespace poprt

#endif  // POPRT_MODEL_COMPUTATION_MODEL_H_
