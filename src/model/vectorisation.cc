#include "model/vectorisation.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/quantities.h"

namespace poprt {
namespace {

constexpr double kWidestVector = 512;  // bits

double first_known(double value, double other) {
  return std::isnan(value) ? other : value;
}

// Of numbers with so many bits.
double operations_of(const PrecisionCounts& counts, double bits) {
  return counts.scalar + 128 / bits * counts.packed_128 +
         256 / bits * counts.packed_256 + 512 / bits * counts.packed_512;
}

}  // namespace

FloatCounts float_counts(const RegionTotals& region) {
  FloatCounts counts;
  for (const FloatCounter& each : kFloatCounters) {
    double value = counted(region.amounts, each.name);
    if (each.preset != nullptr) {
      value = first_known(value, counted(region.amounts, each.preset));
    }
    each.value(counts) = value;
  }
  return counts;
}

bool has_float_counters(const RegionTotals& region) {
  FloatCounts counts = float_counts(region);
  return std::any_of(std::begin(kFloatCounters), std::end(kFloatCounters),
                     [&](const FloatCounter& each) {
                       return !std::isnan(each.value(counts));
                     });
}

double fp_scalar(const FloatCounts& c) {
  return first_known(c.single.scalar + c.dbl.scalar, c.scalar);
}

double fp_packed(const FloatCounts& c) {
  return first_known(c.single.packed() + c.dbl.packed(), c.packed);
}

double fp_instructions(const FloatCounts& c) {
  return fp_scalar(c) + fp_packed(c);
}

double single_operations(const FloatCounts& c) {
  return first_known(operations_of(c.single, 32), c.single_operations);
}

double double_operations(const FloatCounts& c) {
  return first_known(operations_of(c.dbl, 64), c.double_operations);
}

double fp_operations(const FloatCounts& c) {
  return first_known(single_operations(c) + double_operations(c), c.operations);
}

double fp_bits(const FloatCounts& c) {
  return 32 * c.single.scalar + 64 * c.dbl.scalar +
         128 * (c.single.packed_128 + c.dbl.packed_128) +
         256 * (c.single.packed_256 + c.dbl.packed_256) +
         512 * (c.single.packed_512 + c.dbl.packed_512);
}

double vectorisation_efficiency(const FloatCounts& c) {
  return ratio(fp_bits(c), kWidestVector * (c.single.all() + c.dbl.all()));
}

double all_operations(const FloatCounts& c, double instructions) {
  return instructions + operations_of(c.single, 32) + operations_of(c.dbl, 64) -
         c.single.all() - c.dbl.all();
}

}  // namespace poprt
