// Vectorisation and operations per cycle, from counts of floating-point
// instructions: POP2's D8.2, 2.3 and Figures 11 and 18.
//
// All numbers are sums over threads in useful time.  NaN (kUndefined) where
// something was not counted; a result is NaN if anything that it needs is.
#ifndef POPRT_MODEL_VECTORISATION_H_
#define POPRT_MODEL_VECTORISATION_H_

#include "model/ratio.h"
#include "model/totals.h"

namespace poprt {

// Floating-point instructions of one precision, by the width of their vectors.
// Processors count a fused multiply-add as two.
struct PrecisionCounts {
  double scalar = kUndefined;
  double packed_128 = kUndefined;
  double packed_256 = kUndefined;
  double packed_512 = kUndefined;

  double packed() const { return packed_128 + packed_256 + packed_512; }
  double all() const { return scalar + packed(); }
};

// What the counters of a processor tell of floating-point instructions.  Which
// of these it has depends on the processor.
struct FloatCounts {
  PrecisionCounts single;
  PrecisionCounts dbl;
  // Where the processor does not tell precisions and widths apart.
  double scalar = kUndefined;
  double packed = kUndefined;
  // Operations: an instruction on a vector of four numbers is four.
  double single_operations = kUndefined;
  double double_operations = kUndefined;
  double operations = kUndefined;
};

// The counters' names in totals and run files, and where their values go.
// `preset` is PAPI's own event for the same number, or null.
struct FloatCounter {
  const char* name;
  double& (*value)(FloatCounts&);
  const char* preset = nullptr;
};
inline constexpr FloatCounter kFloatCounters[] = {
    {"fp_scalar_single",
     [](FloatCounts& c) -> double& { return c.single.scalar; }},
    {"fp_packed_128_single",
     [](FloatCounts& c) -> double& { return c.single.packed_128; }},
    {"fp_packed_256_single",
     [](FloatCounts& c) -> double& { return c.single.packed_256; }},
    {"fp_packed_512_single",
     [](FloatCounts& c) -> double& { return c.single.packed_512; }},
    {"fp_scalar_double",
     [](FloatCounts& c) -> double& { return c.dbl.scalar; }},
    {"fp_packed_128_double",
     [](FloatCounts& c) -> double& { return c.dbl.packed_128; }},
    {"fp_packed_256_double",
     [](FloatCounts& c) -> double& { return c.dbl.packed_256; }},
    {"fp_packed_512_double",
     [](FloatCounts& c) -> double& { return c.dbl.packed_512; }},
    {"fp_scalar", [](FloatCounts& c) -> double& { return c.scalar; }},
    {"fp_packed", [](FloatCounts& c) -> double& { return c.packed; }},
    {"fp_operations_single",
     [](FloatCounts& c) -> double& { return c.single_operations; },
     "PAPI_SP_OPS"},
    {"fp_operations_double",
     [](FloatCounts& c) -> double& { return c.double_operations; },
     "PAPI_DP_OPS"},
    {"fp_operations", [](FloatCounts& c) -> double& { return c.operations; },
     "PAPI_FP_OPS"},
};

FloatCounts float_counts(const RegionTotals& region);
// Whether any of these was counted.
bool has_float_counters(const RegionTotals& region);

// The instructions of both precisions.
double fp_scalar(const FloatCounts& counts);
double fp_packed(const FloatCounts& counts);
double fp_instructions(const FloatCounts& counts);

// FLOPS of D8.2's Figure 11: an instruction does as many operations as its
// vector has numbers.
double single_operations(const FloatCounts& counts);
double double_operations(const FloatCounts& counts);
double fp_operations(const FloatCounts& counts);

// The bits on which all instructions work together.
double fp_bits(const FloatCounts& counts);

// These bits, of the 512 that each instruction could have had.  From 0 to 1.
double vectorisation_efficiency(const FloatCounts& counts);

// All operations of a program: those of floating-point vectors, and one for
// each other instruction.  Needs all precisions and widths: what other
// processors count is not a part of their instructions.
double all_operations(const FloatCounts& counts, double instructions);

}  // namespace poprt

#endif  // POPRT_MODEL_VECTORISATION_H_
