// Vectorisation and operations per cycle: D8.2's formula by hand, and the
// numbers that its Figures 11 and 18 print.
#include "model/vectorisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/metrics.h"
#include "model/quantities.h"

namespace poprt {
namespace {

struct Count {
  const char* counter;
  int64_t value;
};

RegionTotals counting(const std::vector<Count>& counts) {
  RegionTotals region;
  for (const Count& each : counts) {
    set_amount(counter_amount(each.counter), each.value, &region.amounts);
  }
  return region;
}

ComputationMetrics metrics_with(const std::vector<Count>& counts) {
  return metrics_of(counting(counts), {}).computation;
}

// All eight, with a weight of its own for each.
const std::vector<Count> kAllEight = {
    {"PAPI_TOT_INS", 20000},       {"PAPI_TOT_CYC", 10000},
    {"fp_scalar_single", 1000},    {"fp_packed_128_single", 200},
    {"fp_packed_256_single", 300}, {"fp_packed_512_single", 400},
    {"fp_scalar_double", 2000},    {"fp_packed_128_double", 500},
    {"fp_packed_256_double", 600}, {"fp_packed_512_double", 700}};

TEST(Vectorisation, IsTheFormulaOfTheMethodology) {
  const ComputationMetrics m = metrics_with(kAllEight);
  const double bits = 32. * 1000 + 64. * 2000 + 128. * (200 + 500) +
                      256. * (300 + 600) + 512. * (400 + 700);
  EXPECT_DOUBLE_EQ(bits / (512. * 5700), m.vectorisation_efficiency);
  EXPECT_DOUBLE_EQ(2700. / 20000, m.vectorisation_intensity);
  EXPECT_DOUBLE_EQ(2700. / 5700, m.vectorisation_ratio);
  const double single = 1000 + 4 * 200 + 8 * 300 + 16 * 400;
  const double dbl = 2000 + 2 * 500 + 4 * 600 + 8 * 700;
  EXPECT_DOUBLE_EQ(single, m.single_operations);
  EXPECT_DOUBLE_EQ(dbl, m.double_operations);
  EXPECT_DOUBLE_EQ(single + dbl, m.fp_operations);
  EXPECT_DOUBLE_EQ((single + dbl) / 10000, m.fp_operations_per_cycle);
  // 14300 other instructions do one operation each.
  EXPECT_DOUBLE_EQ((14300 + single + dbl) / 10000, m.opc);
  EXPECT_DOUBLE_EQ(1900. / 20000, m.single_count_per_instruction);
  EXPECT_DOUBLE_EQ(900. / 1900, m.single_vectorisation_ratio);
  EXPECT_DOUBLE_EQ(1800. / 3800, m.double_vectorisation_ratio);
}

TEST(Vectorisation, IsAtMostOneAndTheIpcIsTheLeastOpc) {
  const ComputationMetrics widest =
      metrics_with({{"PAPI_TOT_INS", 100},
                    {"PAPI_TOT_CYC", 50},
                    {"fp_scalar_single", 0},
                    {"fp_packed_128_single", 0},
                    {"fp_packed_256_single", 0},
                    {"fp_packed_512_single", 0},
                    {"fp_scalar_double", 0},
                    {"fp_packed_128_double", 0},
                    {"fp_packed_256_double", 0},
                    {"fp_packed_512_double", 100}});
  EXPECT_DOUBLE_EQ(1, widest.vectorisation_efficiency);
  EXPECT_DOUBLE_EQ(1, widest.vectorisation_intensity);
  EXPECT_DOUBLE_EQ(8 * widest.ipc, widest.opc);
  // Nothing in single precision: its ratios are 0/0, not 0.
  EXPECT_TRUE(std::isnan(widest.single_scalar_ratio));
  EXPECT_DOUBLE_EQ(0, widest.single_count_per_instruction);
  const ComputationMetrics scalar = metrics_with({{"PAPI_TOT_INS", 100},
                                                  {"PAPI_TOT_CYC", 50},
                                                  {"fp_scalar_single", 0},
                                                  {"fp_packed_128_single", 0},
                                                  {"fp_packed_256_single", 0},
                                                  {"fp_packed_512_single", 0},
                                                  {"fp_scalar_double", 40},
                                                  {"fp_packed_128_double", 0},
                                                  {"fp_packed_256_double", 0},
                                                  {"fp_packed_512_double", 0}});
  EXPECT_DOUBLE_EQ(0.125, scalar.vectorisation_efficiency);
  EXPECT_DOUBLE_EQ(0, scalar.vectorisation_intensity);
  EXPECT_DOUBLE_EQ(scalar.ipc, scalar.opc);
}

// Figure 11, DISCO: 3.3E7 and 5.12E12 operations; in double precision a quarter
// of the instructions, 0.52 of them scalar and 0.48 of 128 bits.
TEST(Vectorisation, HasTheRowsOfFigure11) {
  const int64_t single = 33'000'000;
  const double counts = 5.12e12 / (0.52 + 2 * 0.48);
  const auto part = [&](double share) {
    return static_cast<int64_t>(share * counts);
  };
  const ComputationMetrics m =
      metrics_with({{"PAPI_TOT_INS", part(1 / 0.26)},
                    {"fp_scalar_single", single},
                    {"fp_packed_128_single", 0},
                    {"fp_packed_256_single", 0},
                    {"fp_packed_512_single", 0},
                    {"fp_scalar_double", part(0.52)},
                    {"fp_packed_128_double", part(0.48)},
                    {"fp_packed_256_double", 0},
                    {"fp_packed_512_double", 0}});
  EXPECT_NEAR(0, m.single_count_per_instruction, .005);
  EXPECT_DOUBLE_EQ(3.3e7, m.single_operations);
  EXPECT_DOUBLE_EQ(1, m.single_scalar_ratio);
  EXPECT_DOUBLE_EQ(0, m.single_sse_ratio);
  EXPECT_DOUBLE_EQ(0, m.single_avx_ratio);
  EXPECT_DOUBLE_EQ(0, m.single_avx512_ratio);
  EXPECT_NEAR(0.26, m.double_count_per_instruction, 1e-9);
  EXPECT_NEAR(5.12e12, m.double_operations, 10);
  EXPECT_NEAR(0.52, m.double_scalar_ratio, 1e-9);
  EXPECT_NEAR(0.48, m.double_sse_ratio, 1e-9);
  EXPECT_DOUBLE_EQ(0, m.double_avx_ratio);
  EXPECT_DOUBLE_EQ(0, m.double_avx512_ratio);
}

TEST(Vectorisation, IsUndefinedWhereAnEventIsMissing) {
  for (size_t missing = 2; missing < kAllEight.size(); ++missing) {
    std::vector<Count> counts = kAllEight;
    counts.erase(counts.begin() + static_cast<std::ptrdiff_t>(missing));
    const ComputationMetrics m = metrics_with(counts);
    SCOPED_TRACE(kAllEight[missing].counter);
    EXPECT_TRUE(std::isnan(m.vectorisation_efficiency));
    EXPECT_TRUE(std::isnan(m.opc));
    EXPECT_TRUE(std::isnan(m.fp_operations));
    // The other precision is known.
    const bool is_single =
        std::string(kAllEight[missing].counter).ends_with("single");
    EXPECT_EQ(is_single, std::isnan(m.single_operations));
    EXPECT_EQ(!is_single, std::isnan(m.double_operations));
    EXPECT_EQ(is_single, std::isnan(m.single_scalar_ratio));
  }
  EXPECT_FALSE(has_float_counters(counting({{"PAPI_TOT_INS", 5}})));
  EXPECT_TRUE(has_float_counters(counting({{"fp_packed_512_double", 0}})));
}

// Processors that do not tell precisions and widths apart.
TEST(Vectorisation, TakesSumsAndPresetsWhereTheProcessorHasNoMore) {
  const ComputationMetrics m = metrics_with({{"PAPI_TOT_INS", 1000},
                                             {"PAPI_TOT_CYC", 500},
                                             {"fp_scalar", 30},
                                             {"fp_packed", 70},
                                             {"PAPI_FP_OPS", 600}});
  EXPECT_DOUBLE_EQ(0.7, m.vectorisation_ratio);
  EXPECT_DOUBLE_EQ(0.07, m.vectorisation_intensity);
  EXPECT_DOUBLE_EQ(600, m.fp_operations);
  EXPECT_DOUBLE_EQ(1.2, m.fp_operations_per_cycle);
  EXPECT_TRUE(std::isnan(m.vectorisation_efficiency));
  EXPECT_TRUE(std::isnan(m.opc));
  const ComputationMetrics presets =
      metrics_with({{"PAPI_SP_OPS", 7}, {"PAPI_DP_OPS", 9}});
  EXPECT_DOUBLE_EQ(7, presets.single_operations);
  EXPECT_DOUBLE_EQ(9, presets.double_operations);
  EXPECT_DOUBLE_EQ(16, presets.fp_operations);
}

}  // namespace
}  // namespace poprt
