// CUDA with a pretended libcupti: what calls mean for the thread, and which
// operations are handed over, with which times.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "devices/cuda/buffers.h"
#include "devices/cuda/cuda.h"
#include "devices/cuda/launch_table.h"
#include "devices/cuda/tracing.h"
#include "devices/host_calls.h"
#include "layer/child_case.h"
#include "layer/cupti/fake_cupti.h"
#include "layer/fake_time.h"
#include "measure/events.h"
#include "model/quantities.h"
#include "noted.h"

extern "C" int cuptiGetTimestamp(uint64_t*);

namespace poprt::cuda {
namespace {

using fake_cupti::Kind;

// Writes down what it is told.
class Recorder final : public OperationSink {
 public:
  int device(int number) override {
    const std::lock_guard lock(mutex_);
    log_.push_back("device " + std::to_string(number));
    return number < most_devices ? 10 + number : kNoDevice;
  }
  void launch(int device, const Launch& launch) override {
    const std::lock_guard lock(mutex_);
    log_.push_back("launch " + std::to_string(launch.id) + " on " +
                   std::to_string(device) + " of " +
                   std::to_string(launch.stream) + " at " +
                   std::to_string(launch.time_ns) +
                   (launch.has_many_records ? " many" : ""));
  }
  void end_launch(int device, uint64_t launch, bool had_operation) override {
    const std::lock_guard lock(mutex_);
    log_.push_back("over " + std::to_string(launch) + " on " +
                   std::to_string(device) + (had_operation ? "" : " nothing"));
  }
  void operation(int device, const Operation& operation,
                 int64_t now_ns) override {
    const std::lock_guard lock(mutex_);
    constexpr const char* kKinds[] = {"kernel", "copy", "set", "graph"};
    ++operations;
    unknown += has_times(operation, now_ns) ? 0 : 1;
    log_.push_back(std::string(kKinds[static_cast<int>(operation.kind)]) +
                   (operation.moves_data ? " that moves" : "") + " " +
                   std::to_string(operation.launch) + " on " +
                   std::to_string(device) + " " +
                   std::to_string(operation.begin_ns) + "-" +
                   std::to_string(operation.end_ns));
  }
  void clock_error(int64_t ns) override { error_ns = ns; }

  // What it was told since the last time.
  std::vector<std::string> told() {
    const std::lock_guard lock(mutex_);
    return std::exchange(log_, {});
  }

  int most_devices = 4;
  int operations = 0;
  int unknown = 0;
  int64_t error_ns = -1;

 private:
  std::mutex mutex_;
  std::vector<std::string> log_;
};

using Told = std::vector<std::string>;

void pass(int64_t ns) { t_fake_now_ns += ns; }
// CUPTI's clock where it has no other.
int64_t g_system_ahead_ns = 7'000'000;
int64_t system_clock() { return t_fake_now_ns + g_system_ahead_ns; }

// The program, of which one thread is measured from 0 on.
class Program {
 public:
  explicit Program(
      const std::function<void(fake_cupti::Settings*)>& change = {},
      bool traces = true) {
    t_fake_now_ns = 0;
    make_process({});
    register_thread(ThreadKind::kProgram);
    t_thread->book(0);
    measured_process().region_start(*t_thread, "Global");
    g_phase.store(Phase::kMeasuring);
    fake_cupti::settings().clock = system_clock;
    if (change) change(&fake_cupti::settings());
    if (traces) start();
  }
  const TraceStart& start() {
    options.pause = pass;
    return start_tracing(options, sink);
  }

  void at(int64_t ns) { t_fake_now_ns = ns; }
  // A call that takes 10, of an operation that runs from `begin` to `end`.
  uint32_t launch(int64_t at_ns, int64_t begin_ns, int64_t end_ns,
                  fake_cupti::Call call = {}, Kind kind = Kind::kKernel) {
    at(at_ns);
    enter(&call);
    run(call, begin_ns, end_ns, kind);
    at(at_ns + 10);
    leave(&call);
    return call.correlation;
  }
  void run(const fake_cupti::Call& call, int64_t begin_ns, int64_t end_ns,
           Kind kind = Kind::kKernel) {
    fake_cupti::Operation operation;
    operation.kind = kind;
    operation.begin = in_cupti(begin_ns);
    operation.end = in_cupti(end_ns);
    operation.context = call.context;
    operation.device = call.context - 1;
    operation.correlation = call.correlation;
    fake_cupti::run(operation);
  }
  void wait(int64_t from_ns, int64_t to_ns,
            const char* name = "cudaStreamSynchronize_v3020") {
    fake_cupti::Call call;
    call.name = name;
    at(from_ns);
    enter(&call);
    at(to_ns);
    leave(&call);
  }
  static uint64_t in_cupti(int64_t ns) {
    uint64_t now = 0;
    cuptiGetTimestamp(&now);
    return now + static_cast<uint64_t>(ns - t_fake_now_ns);
  }
  void end(int64_t at_ns) {
    at(at_ns);
    ended_ns = at_ns;
    g_phase.store(Phase::kFinished);
    finish_tracing();
  }
  RegionTotals totals() {
    return measured_process().totals(ended_ns, "host").regions.at(0);
  }

  TraceOptions options;
  Recorder sink;
  int64_t ended_ns = 0;
};

// A libcupti has one subscriber in a process.
#define IN_CHILD(...) EXPECT_TRUE(test::is_right_in_child([] __VA_ARGS__))

TEST(CudaTracing, KernelsAndCallsHaveTheirTimes) {
  IN_CHILD({
    Program program;
    program.launch(100, 120, 400);
    program.wait(200, 410);
    EXPECT_EQ((Told{"device 0", "launch 1 on 10 of 1 at 100"}),
              program.sink.told());
    EXPECT_EQ(0, fake_cupti::counts().flushes);
    program.end(500);
    EXPECT_EQ((Told{"kernel 1 on 10 120-400"}), program.sink.told());
    const RegionTotals t = program.totals();
    EXPECT_EQ(210, amount(t, kAcceleratorWaiting));
    EXPECT_EQ(10, amount(t, kAcceleratorLaunching));
    EXPECT_EQ(0, amount(t, kAcceleratorCopying));
    EXPECT_EQ(280, t.useful_sum_ns);
    EXPECT_EQ(1, fake_cupti::counts().clocks);
    EXPECT_EQ(0, fake_cupti::counts().clock_after_kinds);
    EXPECT_EQ(1, fake_cupti::counts().unsubscribes);
    EXPECT_EQ(0, fake_cupti::counts().finalizes);
    EXPECT_EQ(0, trace_gaps().dropped);
  });
}

TEST(CudaTracing, WhereNothingWasLaunchedNothingIsAskedFor) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    call.name = "cudaMalloc_v3020";
    enter(&call);
    leave(&call);
    program.wait(10, 20);
    program.end(100);
    EXPECT_EQ(0, fake_cupti::counts().flushes);
    EXPECT_EQ(0, fake_cupti::counts().forced_flushes);
    EXPECT_EQ(1, fake_cupti::counts().unsubscribes);
    EXPECT_EQ(Told{}, program.sink.told());
  });
}

TEST(CudaTracing, FunctionsThatReturnAtOnceAreNoEvents) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    call.name = "cudaGetDeviceCount_v3020";
    program.at(10);
    enter(&call);
    EXPECT_EQ(State::kUseful, t_thread->state());
    program.at(20);
    leave(&call);
    program.end(100);
    EXPECT_EQ(100, program.totals().useful_sum_ns);
  });
}

TEST(CudaTracing, TheOutermostCallCounts) {
  IN_CHILD({
    Program program;
    fake_cupti::Call outer;
    outer.name = "cudaDeviceSynchronize_v3020";
    fake_cupti::Call inner;
    inner.name = "cuCtxSynchronize";
    inner.domain = 1;
    program.at(10);
    enter(&outer);
    program.at(20);
    enter(&inner);
    program.at(80);
    leave(&inner);
    EXPECT_EQ(State::kAccelerator, t_thread->state());
    program.at(90);
    leave(&outer);
    EXPECT_EQ(State::kUseful, t_thread->state());
    // The driver alone.
    fake_cupti::Call kernel;
    kernel.name = "cuLaunchKernel";
    kernel.domain = 1;
    program.launch(100, 120, 130, kernel);
    program.end(200);
    const RegionTotals t = program.totals();
    EXPECT_EQ(80, amount(t, kAcceleratorWaiting));
    EXPECT_EQ(10, amount(t, kAcceleratorLaunching));
    EXPECT_EQ((Told{"device 0", "launch 3 on 10 of 1 at 100",
                    "kernel 3 on 10 120-130"}),
              program.sink.told());
  });
}

TEST(CudaTracing, ACopyThatBlocksIsCopying) {
  IN_CHILD({
    Program program;
    const struct {
      void* to;
      const void* from;
      size_t bytes;
    } arguments = {nullptr, nullptr, 4096};
    fake_cupti::Call copy;
    copy.name = "cudaMemcpy_v3020";
    copy.arguments = &arguments;
    program.launch(100, 102, 108, copy, Kind::kCopy);
    copy.name = "cudaMemcpyAsync_v3020";
    program.launch(120, 140, 150, copy, Kind::kPeerCopy);
    copy.name = "cudaMemsetAsync_v3020";
    program.launch(140, 150, 160, copy, Kind::kSet);
    program.end(200);
    const RegionTotals t = program.totals();
    EXPECT_EQ(10, amount(t, kAcceleratorCopying));
    EXPECT_EQ(20, amount(t, kAcceleratorLaunching));
    EXPECT_EQ((Told{"device 0", "launch 1 on 10 of 1 at 100",
                    "launch 2 on 10 of 1 at 120", "launch 3 on 10 of 1 at 140",
                    "copy 1 on 10 102-108", "copy 2 on 10 140-150",
                    "set 3 on 10 150-160"}),
              program.sink.told());
  });
}

// Such a copy has no record.
TEST(CudaTracing, ACopyOfNothingIsNotWaitedFor) {
  IN_CHILD({
    Program program;
    const struct {
      void* to;
      const void* from;
      size_t bytes;
    } arguments = {nullptr, nullptr, 0};
    fake_cupti::Call copy;
    copy.name = "cudaMemcpyAsync_v3020";
    copy.arguments = &arguments;
    enter(&copy);
    leave(&copy);
    program.end(100);
    EXPECT_EQ(Told{}, program.sink.told());
    EXPECT_EQ(100, t_fake_now_ns);
  });
}

TEST(CudaTracing, ACallThatSynchronisesWaits) {
  IN_CHILD({
    Program program;
    fake_cupti::Call free;
    free.name = "cudaFree_v3020";
    program.at(10);
    enter(&free);
    program.at(60);
    fake_cupti::synchronized();
    program.at(70);
    leave(&free);
    // A copy that does is a copy.
    fake_cupti::Call copy;
    copy.name = "cudaMemcpy_v3020";
    program.at(100);
    enter(&copy);
    program.at(120);
    fake_cupti::synchronized();
    leave(&copy);
    fake_cupti::synchronized();  // outside of all calls
    program.end(200);
    const RegionTotals t = program.totals();
    EXPECT_EQ(60, amount(t, kAcceleratorWaiting));
    EXPECT_EQ(20, amount(t, kAcceleratorCopying));
    EXPECT_EQ(0, amount(t, kAcceleratorLaunching));
  });
}

TEST(CudaTracing, ALaunchIntoAFullQueueWaits) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    // A launch that takes long for another reason.
    program.at(0);
    enter(&call);
    program.at(200'000);
    leave(&call);
    program.run(call, 200'000, 200'001);
    for (int i = 0; i < 1000; ++i) {
      program.launch(300'000 + 10 * i, 900'000, 900'001);
    }
    program.at(400'000);
    enter(&call);
    program.at(600'000);
    leave(&call);
    program.end(700'000);
    const RegionTotals t = program.totals();
    EXPECT_EQ(200'000, amount(t, kAcceleratorWaiting));
    EXPECT_EQ(210'000, amount(t, kAcceleratorLaunching));
  });
}

TEST(CudaTracing, InMpiTheStateStaysMpiAndKernelsMoveData) {
  IN_CHILD({
    Program program;
    program.at(100);
    t_thread->mpi_depth = 1;
    t_thread->begin_stretch(State::kMpi, 100);
    program.launch(110, 130, 150);
    EXPECT_EQ(State::kMpi, t_thread->state());
    t_thread->mpi_depth = 0;
    t_thread->end_stretch(State::kUseful, 200);
    fake_cupti::Call call;
    call.symbol = "_Z20ncclDevKernel_Reduce4args";
    program.launch(210, 230, 240, call);
    call.symbol = "_Z4busyPf";
    program.launch(230, 250, 260, call);
    program.end(300);
    EXPECT_EQ(100, program.totals().mpi_sum_ns);
    EXPECT_EQ(
        (Told{"device 0", "launch 1 on 10 of 1 at 110",
              "launch 2 on 10 of 1 at 210", "launch 3 on 10 of 1 at 230",
              "kernel that moves 1 on 10 130-150",
              "kernel that moves 2 on 10 230-240", "kernel 3 on 10 250-260"}),
        program.sink.told());
  });
}

// --- launches without records ------------------------------------------------

TEST(CudaTracing, ACallThatFailsLaunchesNothing) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    program.at(10);
    enter(&call);
    program.at(20);
    leave(&call, 701);
    program.end(100);
    EXPECT_EQ(
        (Told{"device 0", "launch 1 on 10 of 1 at 10", "over 1 on 10 nothing"}),
        program.sink.told());
    EXPECT_EQ(100, t_fake_now_ns);  // nothing was waited for
  });
}

TEST(CudaTracing, WhatAGraphGetsIsNoLaunch) {
  IN_CHILD({
    Program program;
    fake_cupti::Call capture;
    capture.name = "cudaStreamBeginCapture_v10000";
    enter(&capture);
    leave(&capture);
    fake_cupti::Call kernel;
    enter(&kernel);
    leave(&kernel);
    capture.name = "cudaStreamEndCapture_v10000";
    enter(&capture);
    leave(&capture);
    EXPECT_EQ(Told{}, program.sink.told());
    // Its two nodes have the id of the launch.
    fake_cupti::Call graph;
    graph.name = "cudaGraphLaunch_v10000";
    program.at(100);
    enter(&graph);
    program.run(graph, 110, 120);
    program.run(graph, 115, 130, Kind::kCopy);
    leave(&graph);
    program.end(200);
    EXPECT_EQ((Told{"device 0", "launch 4 on 10 of 1 at 100 many",
                    "kernel 4 on 10 110-120", "copy 4 on 10 115-130"}),
              program.sink.told());
    EXPECT_EQ(200, t_fake_now_ns);
  });
}

TEST(CudaTracing, ALaunchOfWhichNothingIsHeardIsGivenUp) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    program.at(1);
    enter(&call);
    leave(&call);
    for (int i = 0; i < LaunchTable::kMost; ++i) {
      program.launch(10 + i, 20 + i, 30 + i);
    }
    const Told told = program.sink.told();
    EXPECT_EQ(1, std::count(told.begin(), told.end(), "over 1 on 10"));
    program.end(100'000);
    EXPECT_EQ(LaunchTable::kMost, program.sink.operations);
  });
}

// --- records -----------------------------------------------------------------

TEST(CudaTracing, RecordsComeInAnyOrderAndLate) {
  IN_CHILD({
    Program program;
    program.launch(100, 500, 600);
    program.launch(120, 130, 140);
    program.end(700);
    EXPECT_EQ((Told{"device 0", "launch 1 on 10 of 1 at 100",
                    "launch 2 on 10 of 1 at 120", "kernel 1 on 10 500-600",
                    "kernel 2 on 10 130-140"}),
              program.sink.told());
  });
}

TEST(CudaTracing, RecordsWithoutTimesAreUnknown) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    enter(&call);
    fake_cupti::Operation operation;
    operation.correlation = call.correlation;
    operation.has_times = false;
    fake_cupti::run(operation);
    operation.has_times = true;
    operation.begin = Program::in_cupti(50);  // ends before that
    operation.end = Program::in_cupti(40);
    fake_cupti::run(operation);
    leave(&call);
    program.end(100);
    EXPECT_EQ(2, program.sink.operations);
    EXPECT_EQ(2, program.sink.unknown);
  });
}

// Only then a forced flush, which takes the times of what still runs.
TEST(CudaTracing, TheEndWaitsForWhatRuns) {
  IN_CHILD({
    Program program;
    program.launch(100, 120, 50'000'000);
    program.end(1000);
    EXPECT_EQ((Told{"device 0", "launch 1 on 10 of 1 at 100",
                    "kernel 1 on 10 120-50000000"}),
              program.sink.told());
    EXPECT_LT(t_fake_now_ns, 52'000'000);
  });
}

TEST(CudaTracing, TheEndDoesNotWaitForEver) {
  IN_CHILD({
    Program program;
    program.launch(100, 120, 10'000'000'000);
    program.end(1000);
    EXPECT_EQ(1000 + kEndPatienceNs, t_fake_now_ns);
    EXPECT_EQ(1, fake_cupti::counts().forced_flushes);
    EXPECT_EQ(1, program.sink.operations);
    EXPECT_EQ(1, program.sink.unknown);
  });
}

TEST(CudaTracing, FullBuffersAreReadAtTheNextSynchronisation) {
  IN_CHILD({
    Program program;
    for (int i = 0; i < 400; ++i) program.launch(10 + i, 1000 + i, 1001 + i);
    program.sink.told();
    program.at(5000);
    fake_cupti::work();
    EXPECT_EQ(0, program.sink.operations);
    program.wait(6000, 6100);
    EXPECT_EQ(64 * 1024 / 216, program.sink.operations);
    EXPECT_EQ(0, fake_cupti::counts().flushes);
    program.end(7000);
    EXPECT_EQ(400, program.sink.operations);
  });
}

// A program that only launches.
TEST(CudaTracing, ManyBuffersAreReadWhereTheyAreCompleted) {
  IN_CHILD({
    Program program;
    for (int i = 0; i < 40'000; ++i) {
      program.launch(10 + i, 20 + i, 30 + i);
      if (i % 100 == 0) fake_cupti::work();
    }
    EXPECT_GT(program.sink.operations, 30'000);
    program.end(100'000);
    EXPECT_EQ(40'000, program.sink.operations);
    EXPECT_EQ(0, program.sink.unknown);
  });
}

TEST(CudaTracing, RecordsThatAreDroppedAreCounted) {
  IN_CHILD({
    // Buffers that CUPTI does not give back: one kernel does not end.
    Program program;
    constexpr int kInABuffer = 64 * 1024 / 216;
    for (int i = 0; i < ActivityBuffers::kMost * kInABuffer + 5; ++i) {
      fake_cupti::Operation operation;
      operation.begin = Program::in_cupti(10);
      operation.end = Program::in_cupti(1'000'000'000'000);
      fake_cupti::run(operation);
    }
    program.launch(10, 20, 30);
    program.end(1000);
    EXPECT_EQ(6, trace_gaps().dropped);
  });
}

// Below CUDA 12.9 CUPTI does not look whether it got a buffer.
TEST(CudaTracing, OldVersionsAlwaysGetABuffer) {
  IN_CHILD({
    Program program([](auto* settings) { settings->version = 26; });
    constexpr int kInABuffer = 64 * 1024 / 216;
    for (int i = 0; i < ActivityBuffers::kMost * kInABuffer + 5; ++i) {
      fake_cupti::Operation operation;
      operation.begin = Program::in_cupti(10);
      operation.end = Program::in_cupti(1'000'000'000'000);
      fake_cupti::run(operation);
    }
    program.launch(10, 20, 30);
    program.end(1000);
    EXPECT_EQ(6, trace_gaps().dropped);
  });
}

TEST(CudaTracing, ABufferThatCannotBeWalkedIsLeft) {
  IN_CHILD({
    Program program([](auto* settings) { settings->walks_back = true; });
    program.launch(10, 20, 30);
    program.launch(30, 40, 50);
    program.end(100);
    EXPECT_EQ(1, program.sink.operations);
    EXPECT_EQ(1, trace_gaps().unreadable);
  });
}

TEST(CudaTracing, OldRecordsAreShorter) {
  for (const size_t bytes : {144, 160, 168, 176, 200, 208}) {
    static size_t kernel_bytes = 0;
    kernel_bytes = bytes;
    IN_CHILD({
      Program program([](auto* settings) {
        settings->version = 18;
        settings->kernel_bytes = kernel_bytes;
      });
      program.launch(10, 20, 30);
      program.launch(30, 40, 50);
      program.end(100);
      EXPECT_EQ(2, program.sink.operations);
      EXPECT_EQ("kernel 2 on 10 40-50", program.sink.told().back());
    });
  }
}

// All threads write into the same buffers, also from CUPTI 13 on.
TEST(CudaTracing, ThreadsShareBuffers) {
  IN_CHILD({
    Program program;
    program.launch(10, 20, 30);
    std::thread other([&] {
      program.launch(40, 50, 60);
      program.wait(60, 70);
    });
    other.join();
    EXPECT_EQ(1, fake_cupti::counts().buffers);
    program.end(100);
    EXPECT_EQ(2, program.sink.operations);
    EXPECT_EQ(0, program.sink.unknown);
  });
}

// CUPTI's worker and the program at once.
TEST(CudaTracing, BuffersAreCompletedByOtherThreads) {
  IN_CHILD({
    Program program;
    std::atomic<bool> ends{false};
    std::thread worker([&] {
      t_fake_now_ns = 1'000'000;
      while (!ends.load()) fake_cupti::work();
    });
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] {
        // All operations are over for whoever hears of them.
        for (int i = 0; i < 3000; ++i) {
          program.launch(10'000, 20 + i, 30 + i);
          if (i % 50 == 0) program.wait(10'010, 10'020);
        }
      });
    }
    for (std::thread& each : threads) each.join();
    ends.store(true);
    worker.join();
    program.end(1'000'000);
    EXPECT_EQ(9000, program.sink.operations);
    EXPECT_EQ(0, program.sink.unknown);
  });
}

// --- devices and contexts ----------------------------------------------------

TEST(CudaTracing, EachDeviceHasItsOperations) {
  IN_CHILD({
    Program program;
    program.sink.most_devices = 2;
    fake_cupti::Call call;
    for (const uint32_t context : {2, 1, 3, 2}) {
      call.context = context;
      program.launch(100, 110, 120, call);
    }
    program.end(200);
    EXPECT_EQ((Told{"device 1", "launch 1 on 11 of 2 at 100", "device 0",
                    "launch 2 on 10 of 1 at 100", "device 2",
                    "launch 4 on 11 of 2 at 100", "kernel 1 on 11 110-120",
                    "kernel 2 on 10 110-120", "kernel 4 on 11 110-120"}),
              program.sink.told());
    EXPECT_EQ(1, trace_gaps().no_device);
  });
}

// Copies between two places of the host's memory have such a number.
TEST(CudaTracing, NumbersOfNoDeviceAreLeftOut) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    call.name = "cudaMemcpyAsync_v3020";
    program.at(100);
    enter(&call);
    fake_cupti::Operation operation;
    operation.kind = Kind::kCopy;
    operation.device = INT32_MAX;
    operation.correlation = call.correlation;
    operation.begin = Program::in_cupti(110);
    operation.end = Program::in_cupti(120);
    fake_cupti::run(operation);
    leave(&call);
    program.end(200);
    EXPECT_EQ((Told{"device 0", "launch 1 on 10 of 1 at 100",
                    "over 1 on 10 nothing"}),
              program.sink.told());
    EXPECT_EQ(1, trace_gaps().no_device);
    EXPECT_EQ(200, t_fake_now_ns);
  });
}

// The first call of a thread makes its context.
TEST(CudaTracing, AContextThatIsMadeInTheCallIsKnownAtItsEnd) {
  IN_CHILD({
    Program program;
    fake_cupti::Call call;
    call.context = 0;
    program.at(100);
    enter(&call);
    EXPECT_EQ(Told{}, program.sink.told());
    call.context = 1;
    program.at(150);
    program.run(call, 140, 300);
    leave(&call);
    EXPECT_EQ((Told{"device 0", "launch 1 on 10 of 1 at 100"}),
              program.sink.told());
    program.end(400);
    EXPECT_EQ((Told{"kernel 1 on 10 140-300"}), program.sink.told());
  });
}

// A reset of the device: the context goes, and with it what is pending.
TEST(CudaTracing, BeforeAContextEndsItsRecordsAreAskedFor) {
  IN_CHILD({
    Program program;
    fake_cupti::Call other;
    other.context = 2;
    program.launch(100, 110, 120);
    program.launch(120, 130, 140, other);
    // Of this one no record comes.
    fake_cupti::Call lost;
    program.at(150);
    enter(&lost);
    leave(&lost);
    program.sink.told();
    fake_cupti::Call reset;
    reset.name = "cudaDeviceReset_v3020";
    program.at(200);
    enter(&reset);
    fake_cupti::destroy_context(1);
    program.at(210);
    leave(&reset);
    EXPECT_EQ(1, fake_cupti::counts().flushes);
    EXPECT_EQ(0, fake_cupti::counts().forced_flushes);
    EXPECT_EQ((Told{"kernel 1 on 10 110-120", "kernel 2 on 11 130-140",
                    "over 3 on 10"}),
              program.sink.told());
    // A context in which nothing was launched.
    fake_cupti::destroy_context(3);
    EXPECT_EQ(1, fake_cupti::counts().flushes);
    // The handle may come again, and is asked for again.
    program.launch(220, 230, 240);
    program.end(300);
    EXPECT_EQ("kernel 5 on 10 230-240", program.sink.told().back());
  });
}

// --- the clock ---------------------------------------------------------------

TEST(CudaTracing, WithoutAClockOfItsOwnCuptisIsFollowed) {
  IN_CHILD({
    Program program([](auto* settings) {
      settings->version = 16;
      settings->takes_clock = false;
    });
    program.launch(100, 120, 400);
    program.end(500);
    EXPECT_EQ("kernel 1 on 10 120-400", program.sink.told().back());
    EXPECT_EQ(0, trace_gaps().clock_jumps);
    EXPECT_EQ(0, program.sink.error_ns);
  });
}

TEST(CudaTracing, AClockThatIsSetIsCounted) {
  IN_CHILD({
    Program program([](auto* settings) { settings->takes_clock = false; });
    program.launch(100, 120, 400);
    g_system_ahead_ns += 3'000'000;
    program.end(500);
    EXPECT_EQ(1, trace_gaps().clock_jumps);
    EXPECT_EQ(1, program.sink.operations);
  });
}

// --- start and end -----------------------------------------------------------

TEST(CudaTracing, GivesWayToAnotherToolByItsName) {
  IN_CHILD({
    Program program(
        [](auto* settings) {
          settings->subscribe_result = 39;
          settings->other_tool = "CUPTI for another tool";
        },
        /*traces=*/false);
    const TraceStart& start = program.start();
    EXPECT_EQ(TraceStart::Outcome::kOtherTool, start.outcome);
    EXPECT_EQ("CUPTI for another tool", start.why);
    EXPECT_FALSE(is_tracing());
    EXPECT_EQ(0, fake_cupti::counts().clocks);
    EXPECT_EQ(0, fake_cupti::counts().enabled_kinds);
    program.launch(100, 120, 400);
    program.end(500);
    EXPECT_EQ(500, program.totals().useful_sum_ns);
  });
}

TEST(CudaTracing, GivesWayToTheToolThatCudaWillLoad) {
  IN_CHILD({
    Program program({}, /*traces=*/false);
    program.options.injected_tool = "/opt/nsight/libToolsInjection64.so";
    const TraceStart& start = program.start();
    EXPECT_EQ(TraceStart::Outcome::kOtherTool, start.outcome);
    EXPECT_EQ("/opt/nsight/libToolsInjection64.so", start.why);
    EXPECT_EQ(0, fake_cupti::counts().subscribes);
  });
}

TEST(CudaTracing, SaysWhatCuptiSays) {
  IN_CHILD({
    Program program([](auto* settings) { settings->subscribe_result = 15; },
                    /*traces=*/false);
    const std::string why = program.start().why;
    EXPECT_NE(std::string::npos, why.find("CUPTI 13.0.1 (")) << why;
    EXPECT_NE(std::string::npos, why.find("CUPTI_ERROR_NOT_INITIALIZED"));
    EXPECT_NE(std::string::npos, why.find("newer than the driver"));
    EXPECT_NE(std::string::npos, why.find("libcuda.so.1"));
  });
  IN_CHILD({
    Program program([](auto* settings) { settings->enable_result = 999; },
                    /*traces=*/false);
    EXPECT_EQ(TraceStart::Outcome::kNotThere, program.start().outcome);
    EXPECT_FALSE(is_tracing());
    EXPECT_EQ(1, fake_cupti::counts().unsubscribes);
  });
}

TEST(CudaTracing, StartsOnce) {
  IN_CHILD({
    Program program;
    program.start();
    EXPECT_EQ(1, fake_cupti::counts().subscribes);
    EXPECT_EQ(1, fake_cupti::counts().clocks);
  });
}

// Contexts, and calls, that were there before.
TEST(CudaTracing, MayStartLate) {
  IN_CHILD({
    Program program({}, /*traces=*/false);
    fake_cupti::Call wait;
    wait.name = "cudaDeviceSynchronize_v3020";
    program.at(100);
    enter(&wait);
    program.start();
    program.at(200);
    leave(&wait);  // an exit without an entry
    program.launch(300, 310, 400);
    program.end(500);
    EXPECT_EQ((Told{"device 0", "launch 2 on 10 of 1 at 300",
                    "kernel 2 on 10 310-400"}),
              program.sink.told());
    EXPECT_EQ(490, program.totals().useful_sum_ns);
  });
}

TEST(CudaTracing, AfterTheEndNothingIsTold) {
  IN_CHILD({
    Program program;
    program.launch(100, 110, 120);
    program.end(200);
    program.sink.told();
    finish_tracing();
    program.launch(300, 310, 320);
    program.run({}, 310, 320);
    harvest();
    catch_up();
    EXPECT_EQ(Told{}, program.sink.told());
    EXPECT_EQ(1, fake_cupti::counts().unsubscribes);
    EXPECT_EQ(200, program.totals().useful_sum_ns + 10);
  });
}

TEST(CudaTracing, CatchingUpForcesNothing) {
  IN_CHILD({
    Program program;
    catch_up();
    EXPECT_EQ(0, fake_cupti::counts().flushes);
    program.launch(100, 110, 900);
    program.at(200);
    catch_up();
    EXPECT_EQ(0, program.sink.operations);
    program.at(1000);
    catch_up();
    EXPECT_EQ(1, program.sink.operations);
    EXPECT_EQ(0, fake_cupti::counts().forced_flushes);
    program.end(1100);
  });
}

int status_of_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(99);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(CudaTracing, InAChildCuptiIsNeverCalled) {
  IN_CHILD({
    Program program;
    program.launch(100, 110, 120);
    const int status = status_of_child([&] {
      program.launch(200, 210, 220);
      program.wait(220, 230);
      catch_up();
      harvest();
      finish_tracing();
      const bool is_calm = fake_cupti::counts().flushes == 0 &&
                           fake_cupti::counts().forced_flushes == 0 &&
                           fake_cupti::counts().unsubscribes == 0;
      std::exit(is_calm && !is_tracing() ? 7 : 8);
    });
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(7, WEXITSTATUS(status));
    const int replaced = status_of_child(
        [] { execl("/bin/sh", "sh", "-c", "exit 9", nullptr); });
    EXPECT_EQ(9, WEXITSTATUS(replaced));
    // The parent goes on.
    program.end(300);
    EXPECT_EQ(1, program.sink.operations);
  });
}

// --- in the totals -----------------------------------------------------------

// What the process has in the end.
class Measured : public Program {
 public:
  explicit Measured(
      const std::function<void(fake_cupti::Settings*)>& change = {})
      : Program(change, /*traces=*/false) {
    Options asked;
    asked.cuda_devices = true;
    cuda::start(asked);
    cuda::join(measured_process());
  }
  const std::vector<std::string>& notes() { return job().quality.notes; }
  JobTotals& job() {
    if (job_.regions.empty()) {
      g_phase.store(Phase::kFinished);
      job_ = measured_process().totals(t_fake_now_ns, "host");
    }
    return job_;
  }

 private:
  JobTotals job_;
};

TEST(CudaTotals, HaveTheDevicesByTheirUuids) {
  IN_CHILD({
    Measured program;
    EXPECT_TRUE(is_measured());
    program.launch(100, 120, 400);
    program.wait(200, 410);
    program.at(1000);
    ASSERT_EQ(1u, program.job().devices.size());
    const DeviceTotals& device = program.job().devices[0];
    EXPECT_EQ("GPU-00112233-4455-6677-8899-aabbccddeeff", device.key.unit);
    EXPECT_EQ(DeviceKey::kAnyProcess, device.key.process);
    EXPECT_EQ("Pretended GPU", device.name);
    ASSERT_EQ(1u, device.regions.size());
    EXPECT_EQ(280, device.regions[0].kernels.sum_ns);
    EXPECT_EQ(280, device.regions[0].launched_kernels_ns);
    EXPECT_EQ(1, device.regions[0].operations);
    EXPECT_EQ(0, device.regions[0].unknown_operations);
    EXPECT_EQ(0, device.unannounced_operations);
    EXPECT_EQ(0, device.late_operations);
    EXPECT_NOTED("cuda_unverified", program.notes());
    EXPECT_NOT_NOTED("cuda_dropped", program.notes());
    EXPECT_NOT_NOTED("cuda_unreadable", program.notes());
    EXPECT_NOT_NOTED("cuda_clock", program.notes());
    EXPECT_NOT_NOTED("cuda_other_tool", program.notes());
    EXPECT_NOT_NOTED("cuda_not_there", program.notes());
  });
}

// A device of which the driver says nothing is one of the process.
TEST(CudaTotals, HaveDevicesThatTheDriverDoesNotKnow) {
  IN_CHILD({
    Measured program;
    fake_cupti::Call call;
    call.context = 4;
    program.launch(100, 120, 400, call);
    program.at(1000);
    ASSERT_EQ(1u, program.job().devices.size());
    EXPECT_EQ("cuda 3", program.job().devices[0].key.unit);
    EXPECT_NE(DeviceKey::kAnyProcess, program.job().devices[0].key.process);
  });
}

TEST(CudaTotals, HaveCallsThatFailedAsNothing) {
  IN_CHILD({
    Measured program;
    program.launch(100, 120, 400);
    fake_cupti::Call call;
    program.at(500);
    enter(&call);
    leave(&call, 2);
    program.at(1000);
    ASSERT_EQ(1u, program.job().devices.size());
    EXPECT_EQ(1, program.job().devices[0].regions.at(0).operations);
    EXPECT_EQ(0, program.job().devices[0].regions[0].unknown_operations);
  });
}

// MPI_Init returns: what was before does not count, and tracing goes on.
TEST(CudaTotals, BeginAgainWithMeasurement) {
  IN_CHILD({
    Measured program;
    program.launch(100, 120, 200);
    program.at(300);
    measured_process().restart_regions(*t_thread);
    EXPECT_EQ(0, fake_cupti::counts().forced_flushes);
    EXPECT_EQ(0, fake_cupti::counts().unsubscribes);
    measured_process().region_start(*t_thread, "Global");
    program.launch(400, 420, 520);
    program.at(1000);
    ASSERT_EQ(1u, program.job().devices.size());
    EXPECT_EQ(100, program.job().devices[0].regions.at(0).kernels.sum_ns);
    EXPECT_EQ(1, program.job().devices[0].regions[0].operations);
  });
}

TEST(CudaTotals, NoteWhatIsMissing) {
  IN_CHILD({
    Measured program([](auto* settings) { settings->walks_back = true; });
    EXPECT_NOT_NOTED("cuda_unverified",
                     measured_process().totals(10, "host").quality.notes);
    program.launch(10, 20, 30);
    program.launch(30, 40, 50);
    program.at(100);
    EXPECT_NOTED("cuda_unreadable", program.notes());
  });
  IN_CHILD({
    Measured program([](auto* settings) { settings->takes_clock = false; });
    program.launch(100, 120, 400);
    g_system_ahead_ns += 3'000'000;
    program.at(1000);
    EXPECT_NOTED("cuda_clock", program.notes());
  });
  IN_CHILD({
    Measured program;
    fake_cupti::drop(3);
    program.launch(10, 20, 30);
    program.at(100);
    EXPECT_NOTED("cuda_dropped", program.notes());
  });
  IN_CHILD({
    Measured program([](auto* settings) { settings->subscribe_result = 39; });
    EXPECT_FALSE(is_measured());
    EXPECT_NOTED("cuda_other_tool", program.notes());
  });
  IN_CHILD({
    Measured program([](auto* settings) { settings->subscribe_result = 15; });
    EXPECT_NOTED("cuda_not_there", program.notes());
    EXPECT_NOT_NOTED("cuda_other_tool", program.notes());
  });
}

TEST(CudaTotals, WithoutTheRequestNothingIsLoaded) {
  IN_CHILD({
    Program program({}, /*traces=*/false);
    cuda::start(Options());
    cuda::join(measured_process());
    EXPECT_FALSE(is_measured());
    EXPECT_EQ(0, fake_cupti::counts().subscribes);
    program.launch(100, 120, 400);
    program.end(500);
    EXPECT_EQ(500, program.totals().useful_sum_ns);
  });
}

}  // namespace
}  // namespace poprt::cuda
