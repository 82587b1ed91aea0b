// Random programs with devices: what the library makes of events in the order
// in which it hears of them, against sums over all that has happened, which are
// made when all is over.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "devices/process_devices.h"
#include "share_of_cases.h"

namespace poprt {
namespace {

constexpr int kRegions = 6;
constexpr int kGlobal = 0;  // the region that is always open
constexpr int kDevices = 2;
constexpr int kStreams = 3;
constexpr int64_t kBegin = 1'000'000;

// An operation as it really was.
struct TrueOperation {
  int device = 0;
  uint64_t stream = 0;
  int64_t launch_ns = 0;
  OpenRegions regions;  // at the launch
  Operation operation;
  bool is_valid = true;  // its record has times
  bool is_told = false;
};

// What the host did between two moments.
struct HostStretch {
  int64_t begin_ns;
  int64_t end_ns;
  HostPart part;
};

struct Options {
  int actions = 60;
  // The library knows what the host does at each moment, not only at events.
  bool has_all_marks = false;
  bool has_invalid = true;
  bool has_lost = true;
  int64_t longest_ns = 2000;
};

class Program {
 public:
  Program(uint64_t seed, const Options& options)
      : options_(options), random_(seed) {
    open_[kGlobal] = true;
    OpenRegions always;
    always[kGlobal] = true;
    devices_ =
        std::make_unique<ProcessDevices>(event(), event(), open_, always);
    for (int i = 0; i < kDevices; ++i) EXPECT_EQ(i, devices_->add_device());
    marks_.push_back(event());
    openings_.push_back({now_ns_, open_});
  }

  void run() {
    for (int i = 0; i < options_.actions; ++i) act();
    end();
  }

  void act() {
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
        pass(static_cast<HostPart>(below(kKnownHostParts)), below(3000));
        break;
      case 3:
        change_region(static_cast<int>(1 + below(kRegions - 1)));
        break;
      case 4:
      case 5:
      case 6:
      case 7:
        launch();
        break;
      case 8:
        mark();
        break;
      case 9:
      case 10:
        tell(below(8));
        break;
      case 11:
        devices_->follow();
        break;
    }
  }

  void pass(HostPart part, int64_t ns) {
    if (ns == 0) return;
    host_.ns[static_cast<size_t>(part)] += ns;
    history_.push_back({now_ns_, now_ns_ + ns, part});
    now_ns_ += ns;
    if (options_.has_all_marks) mark();
  }

  void mark() {
    devices_->add_event(event());
    marks_.push_back(event());
  }

  void change_region(int region) {
    HostEvent change = event();
    change.region = static_cast<int16_t>(region);
    change.opens = !open_[static_cast<size_t>(region)];
    open_[static_cast<size_t>(region)] = change.opens;
    devices_->add_event(change);
    marks_.push_back(change);
    openings_.push_back({now_ns_, open_});
  }

  // An operation begins when those before it on its stream are over.
  void launch(std::optional<OperationKind> kind = std::nullopt,
              std::optional<int64_t> length_ns = std::nullopt) {
    TrueOperation op;
    op.device = static_cast<int>(below(kDevices));
    op.stream = static_cast<uint64_t>(below(kStreams));
    op.launch_ns = now_ns_;
    op.regions = open_;
    op.operation.launch = ++launches_;
    op.operation.kind = kind.value_or(static_cast<OperationKind>(below(4)));
    op.operation.moves_data = below(10) == 0;
    int64_t& free_ns = free_[{op.device, op.stream}];
    op.operation.begin_ns = std::max(free_ns, now_ns_) + below(3) * below(200);
    free_ns = op.operation.end_ns =
        op.operation.begin_ns + length_ns.value_or(below(options_.longest_ns));
    op.is_valid = !options_.has_invalid || below(20) != 0;
    Launch launch;
    launch.id = launches_;
    launch.stream = op.stream;
    launch.time_ns = now_ns_;
    devices_->launch(op.device, launch, host_);
    marks_.push_back(event());
    operations_.push_back(op);
  }

  // Some of what is over comes, in any order.
  void tell(int64_t most) {
    std::vector<TrueOperation*> over;
    for (TrueOperation& op : operations_) {
      if (!op.is_told && op.operation.end_ns <= now_ns_) over.push_back(&op);
    }
    std::ranges::shuffle(over, random_);
    if (static_cast<int64_t>(over.size()) > most) {
      over.resize(static_cast<size_t>(most));
    }
    for (TrueOperation* op : over) tell(*op);
  }

  void tell(TrueOperation& op) {
    op.is_told = true;
    Operation told = op.operation;
    if (!op.is_valid) {
      switch (below(3)) {
        case 0:
          told.begin_ns = told.end_ns = 0;
          break;
        case 1:
          told.end_ns = 0;
          break;
        default:
          told.end_ns += 1'000'000'000'000;
      }
    }
    devices_->device(op.device).record(told, now_ns_);
  }

  // Some operations are still running then, and some are never heard of.
  void end() {
    pass(HostPart::kMpi, below(4000));
    tell(options_.has_lost ? below(2) == 0 ? 1000000 : below(50) : 1000000);
    devices_->end(event());
    marks_.push_back(event());
  }

  HostEvent event() const {
    HostEvent now;
    now.time_ns = now_ns_;
    now.host = host_;
    return now;
  }
  int64_t below(int64_t most) {
    return most == 0
               ? 0
               : std::uniform_int_distribution<int64_t>(0, most - 1)(random_);
  }

  // What a device did while the region was open: by sums over the stretches
  // between all moments at which something changes.
  using Sums = std::array<double, 3 + kHostParts>;
  Sums expected(int device, int region) const {
    Sums sums = {};
    sum_up(device, region,
           [&](std::optional<size_t> busy, int64_t at_ns, double ns) {
             if (busy) {
               sums[*busy] += ns;
               return;
             }
             const std::array<double, kHostParts> host = host_at(at_ns);
             for (size_t part = 0; part < host.size(); ++part) {
               sums[3 + part] += ns * host[part];
             }
           });
    return sums;
  }
  // Without idle time.
  Sums expected_busy(int device, int region) const {
    Sums sums = {};
    sum_up(device, region,
           [&](std::optional<size_t> busy, int64_t /*at_ns*/, double ns) {
             if (busy) sums[*busy] += ns;
           });
    return sums;
  }

  ProcessDevices& devices() { return *devices_; }
  const std::vector<TrueOperation>& operations() const { return operations_; }
  int64_t now_ns() const { return now_ns_; }
  // The most that rounding the parts of idle time can add up to, in ns.
  double rounding_ns() const {
    return options_.has_all_marks
               ? 0.5
               : static_cast<double>(marks_.size() + 2 * operations_.size());
  }

 private:
  static bool is_known(const TrueOperation& op) {
    return op.is_told && op.is_valid;
  }

  struct Opening {
    int64_t time_ns;
    OpenRegions open;
  };

  template <class Add>
  void sum_up(int device, int region, Add add) const {
    std::vector<int64_t> moments;
    for (const HostEvent& mark : marks_) moments.push_back(mark.time_ns);
    for (const HostStretch& stretch : history_) {
      moments.push_back(stretch.begin_ns);
    }
    for (const TrueOperation& op : operations_) {
      moments.push_back(op.operation.begin_ns);
      moments.push_back(op.operation.end_ns);
    }
    std::ranges::sort(moments);
    for (size_t i = 0; i + 1 < moments.size(); ++i) {
      const int64_t at_ns = moments[i];
      const auto ns = static_cast<double>(moments[i + 1] - at_ns);
      if (ns == 0 || at_ns < kBegin || at_ns >= now_ns_) continue;
      if (open_at(at_ns)[static_cast<size_t>(region)]) {
        add(busy_at(device, at_ns), at_ns, ns);
      }
    }
  }

  std::optional<size_t> busy_at(int device, int64_t at_ns) const {
    std::optional<size_t> busy;
    for (const TrueOperation& op : operations_) {
      if (op.device != device || !is_known(op) ||
          op.operation.begin_ns > at_ns || op.operation.end_ns <= at_ns) {
        continue;
      }
      size_t kind = 1;
      if (op.operation.kind == OperationKind::kGraph) kind = 2;
      if (op.operation.kind == OperationKind::kKernel &&
          !op.operation.moves_data) {
        kind = 0;
      }
      busy = std::min(kind, busy.value_or(kind));
    }
    return busy;
  }

  const OpenRegions& open_at(int64_t at_ns) const {
    return std::prev(std::ranges::upper_bound(openings_, at_ns, {},
                                              &Opening::time_ns))
        ->open;
  }

  // The shares of what the host did around that time, as far as the library
  // can know.
  std::array<double, kHostParts> host_at(int64_t at_ns) const {
    std::array<double, kHostParts> shares = {};
    if (options_.has_all_marks) {
      for (const HostStretch& stretch : history_) {
        if (stretch.begin_ns <= at_ns && at_ns < stretch.end_ns) {
          shares[static_cast<size_t>(stretch.part)] = 1;
        }
      }
      return shares;
    }
    size_t i = 0;
    while (marks_[i + 1].time_ns <= at_ns) ++i;
    const auto ns =
        static_cast<double>(marks_[i + 1].time_ns - marks_[i].time_ns);
    for (size_t part = 0; part < kKnownHostParts; ++part) {
      shares[part] = static_cast<double>(marks_[i + 1].host.ns[part] -
                                         marks_[i].host.ns[part]) /
                     ns;
    }
    return shares;
  }

  const Options options_;
  std::mt19937_64 random_;
  int64_t now_ns_ = kBegin;
  uint64_t launches_ = 0;
  HostTime host_;
  OpenRegions open_;
  std::unique_ptr<ProcessDevices> devices_;
  std::map<std::pair<int, uint64_t>, int64_t> free_;
  std::vector<TrueOperation> operations_;
  std::vector<HostStretch> history_;
  std::vector<HostEvent> marks_;
  std::vector<Opening> openings_;
};

// Exactly, but for the rounding of idle time between events.
void expect_times(Program& program, const std::string& which) {
  for (int device = 0; device < kDevices; ++device) {
    const DeviceUse& use = program.devices().device(device);
    EXPECT_EQ(0, use.late()) << which;
    EXPECT_EQ(0, use.bridged_ns()) << which;
    EXPECT_EQ(0, use.timeline().by_launch_ns()) << which;
    EXPECT_EQ(program.now_ns() - kBegin, use.timeline().run().elapsed_ns())
        << which;
    for (int region = 0; region < kRegions; ++region) {
      const DeviceTime time = use.timeline().in_region(region);
      const auto expected = program.expected(device, region);
      EXPECT_EQ(expected[0], time.kernels_ns) << which << " in " << region;
      EXPECT_EQ(expected[1], time.copies_ns) << which << " in " << region;
      EXPECT_EQ(expected[2], time.graphs_ns) << which << " in " << region;
      double idle = 0;
      for (size_t i = 0; i < kHostParts; ++i) {
        EXPECT_NEAR(expected[3 + i], time.idle_ns[i], program.rounding_ns())
            << which << " in " << region << ", part " << i;
        idle += expected[3 + i];
      }
      EXPECT_NEAR(idle, time.idle_sum_ns(), 0.5) << which << " in " << region;
    }
  }
}

void expect_launched(Program& program, const std::string& which) {
  for (int device = 0; device < kDevices; ++device) {
    const DeviceUse& use = program.devices().device(device);
    for (int region = 0; region < kRegions; ++region) {
      LaunchedWork expected;
      for (const TrueOperation& op : program.operations()) {
        if (op.device != device || !op.regions[static_cast<size_t>(region)]) {
          continue;
        }
        ++expected.operations;
        if (!op.is_told || !op.is_valid) {
          ++expected.unknown;
        } else if (busy_with(op.operation) == Busy::kKernels) {
          expected.kernels_ns += op.operation.end_ns - op.operation.begin_ns;
        }
      }
      EXPECT_EQ(expected,
                use.launched().in_region(program.devices().sets(), region))
          << which << " in " << region;
    }
  }
}

// What the process saw of a device adds up to the same in its bins.
void expect_bins(Program& program, const std::string& which) {
  for (int device = 0; device < kDevices; ++device) {
    const DeviceTimeline& timeline =
        program.devices().device(device).timeline();
    DeviceTime sum;
    for (int i = 0; i < timeline.bins().count(); ++i) {
      sum += timeline.bins()[i];
    }
    EXPECT_EQ(timeline.run(), sum) << which;
  }
}

void check_programs(unsigned seeds, const Options& options) {
  for (uint64_t seed = 0; seed < seeds / kShare; ++seed) {
    const std::string which = "seed " + std::to_string(seed);
    Program program(seed, options);
    program.run();
    expect_times(program, which);
    expect_launched(program, which);
    expect_bins(program, which);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Devices, TimesOfRandomProgramsAreTheSumsOverAllMoments) {
  check_programs(3000, {});
}

TEST(Devices, IdleTimeIsWhatTheHostDidIfAllOfThatIsKnown) {
  Options options;
  options.has_all_marks = true;
  check_programs(1500, options);
}

TEST(Devices, OperationsThatOutliveManyOthers) {
  Options options;
  options.longest_ns = 100'000;
  options.actions = 120;
  check_programs(500, options);
}

// More than are kept: the device is busy for longer by at most the gaps that
// have disappeared.
TEST(Devices, FarTooManyIntervalsBehindAnOldOperation) {
  for (uint64_t seed = 0; seed < 8 / std::min(8u, kShare); ++seed) {
    Options options;
    options.has_invalid = options.has_lost = false;
    Program program(seed, options);
    for (int i = 0; i < 10; ++i) program.act();
    program.launch(OperationKind::kCopy, 40'000'000);
    for (int i = 0; i < 30'000; ++i) {
      program.pass(HostPart::kUseful, 500 + program.below(3000));
      program.launch(OperationKind::kKernel, program.below(1500));
      if (i % 100 == 0) program.tell(1'000'000);
    }
    program.end();
    int64_t bridged_ns = 0;
    for (int device = 0; device < kDevices; ++device) {
      const DeviceUse& use = program.devices().device(device);
      const DeviceTime time = use.timeline().run();
      std::vector<std::pair<int64_t, int64_t>> kernels;
      for (const TrueOperation& op : program.operations()) {
        if (op.device == device && op.is_told &&
            busy_with(op.operation) == Busy::kKernels) {
          kernels.emplace_back(op.operation.begin_ns, op.operation.end_ns);
        }
      }
      std::ranges::sort(kernels);
      int64_t union_ns = 0;
      int64_t until_ns = 0;
      for (const auto& [begin_ns, end_ns] : kernels) {
        union_ns += std::max<int64_t>(0, end_ns - std::max(begin_ns, until_ns));
        until_ns = std::max(until_ns, end_ns);
      }
      EXPECT_LE(union_ns, time.kernels_ns);
      EXPECT_GE(union_ns + use.bridged_ns(), time.kernels_ns);
      EXPECT_EQ(0, use.late_ns());
      EXPECT_EQ(program.now_ns() - kBegin, time.elapsed_ns());
      bridged_ns += use.bridged_ns();
    }
    EXPECT_LT(0, bridged_ns);
  }
}

// More regions open and close under one operation than are kept.  The run, and
// what is open all the time, are exact; in the other regions as much may be
// wrong as is said.
TEST(Devices, FarTooManyRegionsBehindAnOldOperation) {
  for (uint64_t seed = 0; seed < 4 / std::min(4u, kShare); ++seed) {
    Options options;
    options.has_invalid = options.has_lost = false;
    Program program(seed, options);
    for (int i = 0; i < 20; ++i) program.act();
    program.launch(OperationKind::kKernel, 1'000'000);
    for (int i = 0; i < 70'000; ++i) {
      program.pass(HostPart::kUseful, program.below(30));
      program.change_region(static_cast<int>(1 + program.below(3)));
      if (i % 10'000 == 0) program.launch();
    }
    for (int i = 0; i < 20; ++i) program.act();
    program.end();
    int64_t by_launch_ns = 0;
    for (int device = 0; device < kDevices; ++device) {
      const DeviceTimeline& timeline =
          program.devices().device(device).timeline();
      for (int region = 0; region < kRegions; ++region) {
        const int64_t may_be_wrong_ns =
            region == kGlobal ? 0 : timeline.by_launch_ns();
        const auto expected = program.expected_busy(device, region);
        const DeviceTime time = timeline.in_region(region);
        EXPECT_NEAR(expected[0], time.kernels_ns, may_be_wrong_ns) << seed;
        EXPECT_NEAR(expected[1], time.copies_ns, may_be_wrong_ns) << seed;
        EXPECT_NEAR(expected[2], time.graphs_ns, may_be_wrong_ns) << seed;
      }
      EXPECT_EQ(program.now_ns() - kBegin,
                timeline.in_region(kGlobal).elapsed_ns());
      by_launch_ns += timeline.by_launch_ns();
    }
    EXPECT_LT(0, by_launch_ns) << seed;
  }
}

// Of more launches than are kept, which all end in any order, nothing is lost
// but the regions in which they were made.
TEST(Devices, FarTooManyPendingLaunches) {
  Options options;
  options.has_invalid = options.has_lost = false;
  options.longest_ns = 500;
  Program program(1, options);
  for (int i = 0; i < 9'500; ++i) {
    program.launch();
    program.pass(HostPart::kUseful, 10);
  }
  EXPECT_LT(0, program.devices().device(0).pending().beyond());
  program.devices().follow();
  program.pass(HostPart::kUseful, 100'000'000);
  program.end();
  for (int device = 0; device < kDevices; ++device) {
    const DeviceUse& use = program.devices().device(device);
    EXPECT_EQ(0, use.late_ns());
    EXPECT_EQ(0, use.pending().beyond());
    EXPECT_EQ(0, use.launched().all().unknown);
    EXPECT_LT(0, use.unannounced());
  }
}

}  // namespace
}  // namespace poprt
