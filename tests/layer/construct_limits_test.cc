#include "openmp/construct_limits.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "model/constructs.h"
#include "model/quantities.h"

namespace poprt {
namespace {

constexpr int64_t ConstructTotals::*kParts[] = {
    &ConstructTotals::useful_ns,
    &ConstructTotals::weighted_ns,
    &ConstructTotals::mpi_ns,
    &ConstructTotals::mpi_inside_ns,
    &ConstructTotals::serialised_ns,
    &ConstructTotals::not_started_ns,
    &ConstructTotals::all_idle_ns,
    &ConstructTotals::accelerator_ns,
    &ConstructTotals::accelerator_inside_ns};

int64_t imbalance_of(const ConstructTotals& c) {
  return c.weighted_ns - c.useful_ns - c.mpi_ns - c.mpi_inside_ns -
         c.serialised_ns - c.not_started_ns - c.all_idle_ns - c.accelerator_ns -
         c.accelerator_inside_ns;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int64_t below(int64_t n) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n + 1));
  }

 private:
  std::mt19937_64 engine_;
};

RegionTotals region_of(Random& random) {
  RegionTotals region;
  region.threads = 4;
  region.elapsed_weighted_ns = 4000;
  region.openmp_weighted_ns = 1000 + random.below(3000);
  int64_t left_ns = region.openmp_weighted_ns;
  const auto part = [&] {
    const int64_t ns = random.below(left_ns);
    left_ns -= ns;
    return ns;
  };
  region.useful_sum_ns = part();
  for (const Quantity* quantity :
       {&kMpiInside, &kAcceleratorInside, &kOpenMpMpiInside,
        &kOpenMpAcceleratorInside, &kOpenMpSerialised, &kOpenMpNotStarted,
        &kOpenMpScheduling}) {
    set_amount(quantity->name, part(), &region.amounts);
  }
  return region;
}

// Whatever was booked in them: no construct has less than nothing, nor has what
// they leave of the region.
TEST(ConstructLimits, LeaveTheRegionNoLessThanNothing) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const RegionTotals region = region_of(random);
    std::vector<ConstructTotals> constructs(1 + random.below(3));
    std::vector<ConstructTotals*> all;
    for (ConstructTotals& c : constructs) {
      for (const auto part : kParts) c.*part = random.below(600);
      c.weighted_ns += c.useful_ns + c.mpi_ns + c.accelerator_ns;
      c.scheduling_ns = random.below(600);
      limit_losses(&c);
      all.push_back(&c);
    }
    limit_to(region, all);
    ConstructTotals rest = all_constructs_in(region);
    for (const ConstructTotals& c : constructs) {
      for (const auto part : kParts) {
        EXPECT_LE(0, c.*part);
        rest.*part -= c.*part;
      }
      EXPECT_LE(0, imbalance_of(c));
      EXPECT_LE(c.useful_ns + c.mpi_ns + c.accelerator_ns + c.scheduling_ns,
                c.weighted_ns);
    }
    EXPECT_LE(0, rest.weighted_ns - rest.useful_ns);
    for (const auto part :
         {&ConstructTotals::mpi_inside_ns, &ConstructTotals::serialised_ns,
          &ConstructTotals::not_started_ns, &ConstructTotals::all_idle_ns,
          &ConstructTotals::accelerator_inside_ns}) {
      EXPECT_LE(0, rest.*part);
    }
    EXPECT_LE(0, imbalance_of(rest));
  }
}

}  // namespace
}  // namespace poprt
