// What is noted where the system has no more memory and the reserve is used up.
// This program's allocations are as those of a preloaded library.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "layer/child_case.h"
#include "measure/events.h"
#include "measure/region.h"
#include "noted.h"
#include "poprt.h"
#include "session/lifecycle.h"
#include "session/transport.h"

namespace poprt {
namespace {

// An emulator of another processor does not heed the limit of address space.
bool address_space_has_limits() {
  rlimit before;
  getrlimit(RLIMIT_AS, &before);
  const rlimit none = {0, before.rlim_max};
  setrlimit(RLIMIT_AS, &none);
  constexpr size_t kSome = 1 << 20;
  void* const some = mmap(nullptr, kSome, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  setrlimit(RLIMIT_AS, &before);
  if (some == MAP_FAILED) return true;
  munmap(some, kSome);
  return false;
}

// While it lives, there is no memory for anything of `least` bytes and more.
class WithoutMemory {
 public:
  explicit WithoutMemory(size_t least) {
    // Blocks of all smaller sizes are free.
    for (size_t size = 16; size < least; size += 32) {
      for (void*& each : small_) each = take_memory(size);
      for (void* const each : small_) release_memory(each);
    }
    getrlimit(RLIMIT_AS, &before_);
    const rlimit none = {0, before_.rlim_max};
    setrlimit(RLIMIT_AS, &none);
    open_reserve_for_end();
    for (size_t size = 1 << 20; size > least; size /= 2) {
      while (take_memory(size) != nullptr) {
      }
    }
    while (take_memory(least) != nullptr) {
    }
  }
  ~WithoutMemory() { setrlimit(RLIMIT_AS, &before_); }
  WithoutMemory(const WithoutMemory&) = delete;
  WithoutMemory& operator=(const WithoutMemory&) = delete;

 private:
  void* small_[32];
  rlimit before_;
};

std::vector<std::string> noted_so_far() {
  return measured_process().totals(now_ns(), "node").quality.notes;
}

TEST(WithoutMemory, ARegionIsNotMeasured) {
  if (!address_space_has_limits()) GTEST_SKIP() << "no limits here";
  for (const bool has_memory : {true, false}) {
    EXPECT_TRUE(test::is_right_in_child([&] {
      pop_region_start("before");
      pop_region_stop("before");
      if (has_memory) {
        pop_region_start("next");
        EXPECT_NOT_NOTED("region_memory", noted_so_far());
        return;
      }
      {
        const WithoutMemory here(sizeof(Region));
        pop_region_start("next");
      }
      EXPECT_NOTED("region_memory", noted_so_far());
      EXPECT_NOT_NOTED("region_limit", noted_so_far());
    }));
  }
}

constexpr char kInRuntime = 0;

TEST(WithoutMemory, WhatWasMeasuredUntilOpenMpEndedIsNotKept) {
  if (!address_space_has_limits()) GTEST_SKIP() << "no limits here";
  for (const bool has_memory : {true, false}) {
    EXPECT_TRUE(test::is_right_in_child([&] {
      ASSERT_TRUE(start_with_openmp("LLVM", &kInRuntime));
      if (has_memory) {
        openmp_ended(&kInRuntime);
        EXPECT_NOT_NOTED("openmp_ended_no_memory", noted_so_far());
        return;
      }
      {
        const WithoutMemory here(1024);
        openmp_ended(&kInRuntime);
      }
      EXPECT_NOTED("openmp_ended_no_memory", noted_so_far());
    }));
  }
}

// Takes the totals of this process, as rank 1 of a job.
class Receiver final : public Transport {
 public:
  int64_t rank() const override { return 1; }
  bool combine_all(JobTotals* totals) override {
    // What the test itself needs.
    rlimit all;
    getrlimit(RLIMIT_AS, &all);
    all.rlim_cur = all.rlim_max;
    setrlimit(RLIMIT_AS, &all);
    notes = totals->quality.notes;
    return false;
  }
  void combine_for_all(JobTotals*) override {}
  void synchronise() override {}

  std::vector<std::string> notes;
};

TEST(WithoutMemory, TheTotalsOfAProcessAreMissing) {
  if (!address_space_has_limits()) GTEST_SKIP() << "no limits here";
  for (const bool has_memory : {true, false}) {
    EXPECT_TRUE(test::is_right_in_child([&] {
      pop_region_start("before");
      Receiver receiver;
      if (has_memory) {
        mpi_finishing(*t_thread, receiver);
        EXPECT_NOT_NOTED("totals_of_process", receiver.notes);
        return;
      }
      {
        const WithoutMemory here(1024);
        mpi_finishing(*t_thread, receiver);
      }
      EXPECT_NOTED("totals_of_process", receiver.notes);
    }));
  }
}

}  // namespace
}  // namespace poprt
