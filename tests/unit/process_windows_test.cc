#include "measure/process_windows.h"

#include <gtest/gtest.h>

#include "measure/process.h"

namespace poprt {
namespace {

// A process without threads: all time is outside MPI.
class WindowsTest : public testing::Test {
 protected:
  // As Process::change_window(), without its lock.
  void event(Windows& windows, int64_t now_ns) {
    if (windows.is_due(now_ns)) windows.change(now_ns);
  }
  void set_open(Region& r, bool open, int64_t now_ns) {
    regions_.set_open(r, open, now_ns, {now_ns, now_ns});
    if (open) r.begin_visit(*thread_);
    regions_.changed();
  }
  const Region* open_window(const Windows& windows) const {
    const Region* found = nullptr;
    for (const LiveWindow& live : windows.live) {
      if (live.slot < 0 || !regions_.at(live.slot).elapsed().open) continue;
      EXPECT_EQ(nullptr, found);
      found = &regions_.at(live.slot);
    }
    return found;
  }

  Process process_;
  Thread* const thread_ = &process_.add_thread(ThreadKind::kProgram, 0);
  Regions regions_{8, false};
  ThreadList threads_;
};

TEST_F(WindowsTest, AreOpenWhileTheirRegionIs) {
  Windows windows({"", 0, 100}, regions_, threads_);
  Region& global = regions_.at(regions_.add("Global", kGlobalKey));
  set_open(global, true, 0);
  event(windows, 0);
  EXPECT_NE(nullptr, open_window(windows));
  set_open(global, false, 60);
  event(windows, 70);
  EXPECT_EQ(nullptr, open_window(windows));
  EXPECT_FALSE(windows.is_due(1000));
  set_open(global, true, 200);
  event(windows, 230);
  EXPECT_EQ(60 + 30, windows.until(230).elapsed_ns);
  event(windows, 240);
  EXPECT_EQ(100, windows.kept[0].elapsed_ns);
  EXPECT_EQ(0, windows.until(240).elapsed_ns);
}

}  // namespace
}  // namespace poprt
