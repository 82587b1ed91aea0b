// The metrics of the model `computation`: from counters, in useful time.
#ifndef POPRT_MODEL_COMPUTATION_MODEL_H_
#define POPRT_MODEL_COMPUTATION_MODEL_H_

#include "model/metric_table.h"
#include "model/place_of.h"
#include "model/vectorisation.h"

namespace poprt {

// A metric of floating-point counters.
template <auto kMember>
constexpr Metric float_metric(const char* key, const char* label,
                              MetricUnit unit,
                              double (*formula)(const Inputs&)) {
  return {.model = Model::kComputation,
          .key = key,
          .label = label,
          .depth = 0,
          .layer = Layer::kFloatingPoint,
          .place = place_of<&Metrics::computation, kMember>,
          .formula = formula,
          .unit = unit};
}

// Of the instructions of one precision: their share of all instructions, and
// the share of them that work on vectors, or on vectors of one width.
template <PrecisionCounts FloatCounts::*kCounts>
double share_of_instructions(const Inputs& x) {
  return ratio((x.counters.floats.*kCounts).all(), x.counters.instructions);
}
template <PrecisionCounts FloatCounts::*kCounts>
double packed_share(const Inputs& x) {
  const PrecisionCounts& counts = x.counters.floats.*kCounts;
  return ratio(counts.packed(), counts.all());
}
template <PrecisionCounts FloatCounts::*kCounts,
          double PrecisionCounts::*kWidth>
double width_share(const Inputs& x) {
  const PrecisionCounts& counts = x.counters.floats.*kCounts;
  return ratio(counts.*kWidth, counts.all());
}

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
    float_metric<&ComputationMetrics::opc>(
        "opc", "OPC", MetricUnit::kNumber,
        [](const Inputs& x) {
          return ratio(
              all_operations(x.counters.floats, x.counters.instructions),
              x.counters.cycles);
        }),
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
    float_metric<&ComputationMetrics::fp_operations>(
        "fp_operations", "FP operations", MetricUnit::kCount,
        [](const Inputs& x) { return fp_operations(x.counters.floats); }),
    float_metric<&ComputationMetrics::fp_operations_per_cycle>(
        "fp_operations_per_cycle", "FP operations per cycle",
        MetricUnit::kNumber,
        [](const Inputs& x) {
          return ratio(fp_operations(x.counters.floats), x.counters.cycles);
        }),
    float_metric<&ComputationMetrics::vectorisation_efficiency>(
        "vectorisation_efficiency", "Vectorisation Efficiency, %",
        MetricUnit::kShare,
        [](const Inputs& x) {
          return vectorisation_efficiency(x.counters.floats);
        }),
    float_metric<&ComputationMetrics::vectorisation_intensity>(
        "vectorisation_intensity", "Vectorisation Intensity, %",
        MetricUnit::kShare,
        [](const Inputs& x) {
          return ratio(fp_packed(x.counters.floats), x.counters.instructions);
        }),
    float_metric<&ComputationMetrics::vectorisation_ratio>(
        "vectorisation_ratio", "Vectorisation Ratio, %", MetricUnit::kShare,
        [](const Inputs& x) {
          return ratio(fp_packed(x.counters.floats),
                       fp_instructions(x.counters.floats));
        }),
    float_metric<&ComputationMetrics::single_count_per_instruction>(
        "single_count_per_instruction", "Single Count/Ins, %",
        MetricUnit::kShare, share_of_instructions<&FloatCounts::single>),
    float_metric<&ComputationMetrics::single_operations>(
        "single_operations", "Single FLOPS", MetricUnit::kCount,
        [](const Inputs& x) { return single_operations(x.counters.floats); }),
    float_metric<&ComputationMetrics::single_vectorisation_ratio>(
        "single_vectorisation_ratio", "Single Packed Ratio, %",
        MetricUnit::kShare, packed_share<&FloatCounts::single>),
    float_metric<&ComputationMetrics::single_scalar_ratio>(
        "single_scalar_ratio", "Single Scalar Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::single, &PrecisionCounts::scalar>),
    float_metric<&ComputationMetrics::single_sse_ratio>(
        "single_sse_ratio", "Single SSE Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::single, &PrecisionCounts::packed_128>),
    float_metric<&ComputationMetrics::single_avx_ratio>(
        "single_avx_ratio", "Single AVX Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::single, &PrecisionCounts::packed_256>),
    float_metric<&ComputationMetrics::single_avx512_ratio>(
        "single_avx512_ratio", "Single AVX512 Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::single, &PrecisionCounts::packed_512>),
    float_metric<&ComputationMetrics::double_count_per_instruction>(
        "double_count_per_instruction", "Double Count/Ins, %",
        MetricUnit::kShare, share_of_instructions<&FloatCounts::dbl>),
    float_metric<&ComputationMetrics::double_operations>(
        "double_operations", "Double FLOPS", MetricUnit::kCount,
        [](const Inputs& x) { return double_operations(x.counters.floats); }),
    float_metric<&ComputationMetrics::double_vectorisation_ratio>(
        "double_vectorisation_ratio", "Double Packed Ratio, %",
        MetricUnit::kShare, packed_share<&FloatCounts::dbl>),
    float_metric<&ComputationMetrics::double_scalar_ratio>(
        "double_scalar_ratio", "Double Scalar Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::dbl, &PrecisionCounts::scalar>),
    float_metric<&ComputationMetrics::double_sse_ratio>(
        "double_sse_ratio", "Double SSE Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::dbl, &PrecisionCounts::packed_128>),
    float_metric<&ComputationMetrics::double_avx_ratio>(
        "double_avx_ratio", "Double AVX Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::dbl, &PrecisionCounts::packed_256>),
    float_metric<&ComputationMetrics::double_avx512_ratio>(
        "double_avx512_ratio", "Double AVX512 Ratio, %", MetricUnit::kShare,
        width_share<&FloatCounts::dbl, &PrecisionCounts::packed_512>),
};

}  // namespace poprt

#endif  // POPRT_MODEL_COMPUTATION_MODEL_H_
