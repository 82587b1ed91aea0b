// What is noted of OpenMP runtimes and accelerators that are not measured.
#include "session/unseen.h"

#include <gtest/gtest.h>

#include "noted.h"
#include "session/other_tool.h"
#include "session/unseen_openmp.h"

namespace poprt {
namespace {

std::vector<std::string> notes_on_runtime(const SilentRuntime& runtime,
                                          bool has_headers = true) {
  return {note_on(runtime, has_headers)};
}

TEST(Unseen, WhyARuntimeIsSilent) {
  const SilentRuntime gcc{"/lib/libgomp.so.1", true, false};
  const SilentRuntime other{"/lib/libiomp5.so", false, false};
  const SilentRuntime told{"/lib/libomp.so", false, true};
  EXPECT_NOTED("openmp_of_gcc", notes_on_runtime(gcc));
  EXPECT_NOTED("openmp_silent", notes_on_runtime(other));
  EXPECT_NOTED("openmp_no_tool", notes_on_runtime(told));
  EXPECT_NOTED("openmp_no_headers", notes_on_runtime(gcc, false));
  EXPECT_NOTED("openmp_no_headers", notes_on_runtime(told, false));
  EXPECT_NOT_NOTED("openmp_of_gcc", notes_on_runtime(other));
  EXPECT_NOT_NOTED("openmp_silent", notes_on_runtime(gcc));
  EXPECT_NOT_NOTED("openmp_silent", notes_on_runtime(told));
  EXPECT_NOT_NOTED("openmp_no_tool", notes_on_runtime(other));
  EXPECT_NOT_NOTED("openmp_no_headers", notes_on_runtime(other));
}

// The notes of a process that saw this.
std::vector<std::string> notes_on(const Unseen& unseen, bool has_openmp) {
  JobTotals own;
  own.has_openmp = has_openmp;
  complete_own(unseen, 0, &own);
  return own.quality.notes;
}

TEST(Unseen, AnotherTool) {
  Unseen unseen;
  unseen.other_tool_note = other_tool_note();
  EXPECT_NOT_NOTED("openmp_other_tool", notes_on(unseen, false));
  give_way_to("/opt/tool/libtool.so");
  unseen.other_tool_note = other_tool_note();
  EXPECT_NOTED("openmp_other_tool", notes_on(unseen, false));
  // A second runtime tells poprt.
  EXPECT_NOT_NOTED("openmp_other_tool", notes_on(unseen, true));
}

TEST(Unseen, Accelerators) {
  Unseen unseen;
  EXPECT_NOT_NOTED("accelerators", notes_on(unseen, false));
  unseen.device_runtimes = {"libcuda.so.1"};
  EXPECT_NOTED("accelerators", notes_on(unseen, false));
  EXPECT_NOTED("cuda_off", notes_on(unseen, false));
  unseen.cuda_is_measured = true;
  EXPECT_NOT_NOTED("accelerators", notes_on(unseen, false));
  EXPECT_NOT_NOTED("cuda_off", notes_on(unseen, false));
}

// A runtime that had no threads hides nothing.
TEST(Unseen, ARuntimeIsNotedWhereThereWereThreads) {
  Unseen unseen;
  unseen.openmp_note = note_on({"libiomp5.so", false, false}, true);
  unseen.has_unknown_threads = true;
  EXPECT_NOTED("openmp_silent", notes_on(unseen, false));
}

}  // namespace
}  // namespace poprt
