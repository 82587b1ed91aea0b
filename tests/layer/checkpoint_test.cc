// POPRT_CHECKPOINT=1h and POPRT_OUTPUT (CMakeLists.txt): what a checkpoint
// costs.
#include "session/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "measure/due_work.h"
#include "measure/events.h"
#include "poprt.h"

namespace poprt {
namespace {

int64_t overhead_ns() {
  return measured_process()
      .totals(now_ns(), "node", Process::Threads::kRunning)
      .quality.overhead_ns;
}

// The thread has waited since its last event: here it is later than the time
// at which the checkpoint is written, so that the wait would be less than
// nothing.
TEST(Checkpoint, TakesTheTimeOfWritingWhateverTheTimeOfTheEventIs) {
  constexpr int64_t kTwoHours = int64_t{7200} * 1'000'000'000;
  pop_region_start("work");
  const int64_t before_ns = overhead_ns();
  look_for_due_work(now_ns() + kTwoHours);
  EXPECT_LT(before_ns, overhead_ns());
  const std::string folder = last_checkpoint(Ending::kUnknown, 0);
  EXPECT_TRUE(std::filesystem::is_directory(folder)) << folder;
  remove_checkpoint();
  EXPECT_FALSE(std::filesystem::exists(folder));
  g_phase.store(Phase::kFinished);
}

}  // namespace
}  // namespace poprt
