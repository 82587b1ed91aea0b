// Devices that several processes share, and other clocks: what the library
// makes of what each process or moment tells, against the whole truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "devices/clock_offset.h"
#include "devices/process_devices.h"
#include "devices/shared_device.h"
#include "share_of_cases.h"

namespace poprt {
namespace {

using Stretches = std::vector<std::pair<int64_t, int64_t>>;

int64_t length_of_union(Stretches stretches) {
  std::ranges::sort(stretches);
  int64_t length_ns = 0;
  int64_t until_ns = 0;
  for (const auto& [begin_ns, end_ns] : stretches) {
    length_ns += std::max<int64_t>(0, end_ns - std::max(begin_ns, until_ns));
    until_ns = std::max(until_ns, end_ns);
  }
  return length_ns;
}

class Job {
 public:
  // Operations are about as long as `length_ns`.
  Job(uint64_t seed, int processes, int64_t length_ns) : random_(seed) {
    for (int i = 0; i < processes; ++i) run_process(length_ns);
  }

  SharedDevice shared() {
    std::ranges::shuffle(bins_, random_);
    int power = 0;
    for (const SharedDevice& each : bins_) {
      power = std::max(power, each.power());
    }
    SharedDevice all;
    for (SharedDevice each : bins_) {
      each.widen(power);
      all.add(std::move(each));
    }
    return all;
  }
  SharedDevice in_any_order() {
    std::ranges::shuffle(bins_, random_);
    SharedDevice all;
    for (const SharedDevice& each : bins_) all.add(each);
    return all;
  }

  const Stretches& kernels() const { return kernels_; }
  const Stretches& active() const { return active_; }
  int64_t elapsed_ns() const { return last_ns_ - first_ns_; }

 private:
  int64_t below(int64_t most) {
    return std::uniform_int_distribution<int64_t>(0, most - 1)(random_);
  }

  void run_process(int64_t length_ns) {
    HostEvent now;
    now.time_ns = 1'000'000'000'000 + below(200'000'000);
    first_ns_ = std::min(first_ns_, now.time_ns);
    ProcessDevices devices(now, now, {}, {});
    const int device = devices.add_device();
    for (uint64_t i = 1; i <= 40; ++i) {
      pass(now, below(2 * length_ns));
      Launch launch;
      launch.id = i;
      launch.time_ns = now.time_ns;
      devices.launch(device, launch, now.host);
      Operation op;
      op.launch = i;
      op.kind = below(3) == 0 ? OperationKind::kCopy : OperationKind::kKernel;
      op.begin_ns = now.time_ns + below(1000);
      op.end_ns = op.begin_ns + below(2 * length_ns);
      active_.emplace_back(op.begin_ns, op.end_ns);
      if (op.kind == OperationKind::kKernel) {
        kernels_.emplace_back(op.begin_ns, op.end_ns);
      }
      pass(now, op.end_ns - now.time_ns);
      devices.device(device).record(op, now.time_ns);
    }
    devices.end(now);
    last_ns_ = std::max(last_ns_, now.time_ns);
    bins_.emplace_back(devices.device(device).timeline().bins());
  }

  static void pass(HostEvent& now, int64_t ns) {
    now.time_ns += ns;
    now.host.ns[0] += ns;
  }

  std::mt19937_64 random_;
  std::vector<SharedDevice> bins_;
  Stretches kernels_;
  Stretches active_;
  int64_t first_ns_ = INT64_MAX;
  int64_t last_ns_ = 0;
};

// In whichever order, and whatever the widths of bins are.
TEST(SharedDevices, TheUnionIsInTheRange) {
  for (uint64_t seed = 0; seed < 300 / kShare; ++seed) {
    const int processes = 1 + static_cast<int>(seed % 5);
    // From far shorter than a bin to far longer.
    Job job(seed, processes, int64_t{1000} << (seed % 20));
    for (const SharedDevice& device : {job.shared(), job.in_any_order()}) {
      const DeviceKnown known = device.known();
      const int64_t kernels_ns = length_of_union(job.kernels());
      EXPECT_LE(known.kernels.least_ns, kernels_ns) << seed;
      EXPECT_GE(known.kernels.most_ns, kernels_ns) << seed;
      const int64_t active_ns = length_of_union(job.active());
      EXPECT_LE(known.active.least_ns, active_ns) << seed;
      EXPECT_GE(known.active.most_ns, active_ns) << seed;
      EXPECT_LE(0, known.time.copies_ns) << seed;
      if (processes == 1) {
        EXPECT_EQ(kernels_ns, known.time.kernels_ns) << seed;
        EXPECT_EQ(active_ns - kernels_ns, known.time.copies_ns) << seed;
        EXPECT_EQ(job.elapsed_ns(), known.time.elapsed_ns()) << seed;
      }
    }
  }
}

TEST(SharedDevices, BinsOfEqualWidthAddUpInAnyOrder) {
  for (uint64_t seed = 0; seed < 100 / kShare; ++seed) {
    Job job(seed, 5, int64_t{1000} << (seed % 20));
    const DeviceKnown known = job.shared().known();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(known, job.shared().known());
  }
}

// Long operations fill bins, and then there is nothing to guess.
TEST(SharedDevices, TheUnionOfLongOperationsIsNearlyExact) {
  for (uint64_t seed = 0; seed < 100 / kShare; ++seed) {
    Job job(seed, 3, 50'000'000);
    const DeviceKnown known = job.shared().known();
    EXPECT_NEAR(1.0,
                static_cast<double>(known.time.kernels_ns) /
                    static_cast<double>(length_of_union(job.kernels())),
                0.02)
        << seed;
  }
}

// A clock that is faster or slower by up to 0.2 per mille, of which each moment
// is known within some microseconds.
TEST(ClockOffsets, TheOffsetIsWithinItsError) {
  for (uint64_t seed = 0; seed < 400 / kShare; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&random](int64_t most) {
      return std::uniform_int_distribution<int64_t>(0, most - 1)(random);
    };
    const int64_t offset_ns = below(2'000'000'000'000) - 1'000'000'000'000;
    const int64_t per_million = below(400) - 200;
    const auto host_of = [&](int64_t other_ns) {
      return other_ns + offset_ns + other_ns * per_million / 1'000'000;
    };
    ClockOffset clock;
    int64_t other_ns = 2'000'000'000'000;
    for (int i = 0; i < 500; ++i) {
      other_ns += below(1'000'000);
      const int64_t host_ns = host_of(other_ns);
      EXPECT_EQ(0, clock.learn(other_ns, host_ns - below(20'000),
                               host_ns + below(20'000)));
      ASSERT_LE(std::abs(clock.to_host(other_ns) - host_ns),
                clock.error_ns() + 1)
          << seed;
      ASSERT_GE(20'000, clock.error_ns());
    }
    // Less than half of what one moment tells.
    EXPECT_GE(8'000, clock.error_ns()) << seed;
    EXPECT_EQ(0, clock.jumps());
  }
}

TEST(ClockOffsets, AJumpIsNoticedAndWhatWasBeforeIsConvertedAsBefore) {
  for (uint64_t seed = 0; seed < 200 / kShare; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&random](int64_t most) {
      return std::uniform_int_distribution<int64_t>(0, most - 1)(random);
    };
    ClockOffset clock;
    int64_t host_ns = 1'000'000'000;
    int64_t offset_ns = 5'000'000'000;  // the host's clock minus the other one
    std::vector<std::pair<int64_t, int64_t>> seen;  // other clock, host's
    for (int jump = 0; jump < 5; ++jump) {
      for (int i = 0; i < 20; ++i) {
        host_ns += 1 + below(1'000'000);
        const int64_t jumped_ns = clock.learn(
            host_ns - offset_ns, host_ns - below(2000), host_ns + below(2000));
        if (jump > 0 && i == 0) {
          EXPECT_NEAR(3'000'000, jumped_ns, 10'000);
        } else {
          EXPECT_EQ(0, jumped_ns);
        }
        seen.emplace_back(host_ns - offset_ns, host_ns);
      }
      offset_ns -= 3'000'000;  // the other clock is set forward
    }
    EXPECT_EQ(4, clock.jumps());
    for (const auto& [other_ns, at_ns] : seen) {
      EXPECT_NEAR(at_ns, clock.to_host(other_ns), 20'000) << seed;
    }
  }
}

}  // namespace
}  // namespace poprt
