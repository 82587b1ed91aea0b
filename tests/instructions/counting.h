// Counts the instructions of events under callgrind: run.py reads a dump for
// each of them. Without valgrind the events just run.
#ifndef POPRT_TESTS_INSTRUCTIONS_COUNTING_H_
#define POPRT_TESTS_INSTRUCTIONS_COUNTING_H_

#include <valgrind/callgrind.h>

#include <cstdio>

namespace poprt::counting {

inline constexpr int kEvents = 2000;

// Prints the first line: the build that the numbers belong to.
inline void say_build() {
#if defined(__clang__)
  std::printf("Clang %d", __clang_major__);
#else
  std::printf("GNU %d", __GNUC__);
#endif
  std::printf(" %s\n%d\n", POPRT_BUILD, kEvents);
}

// Leaves out what only the first of many events does.
template <class Run>
void count(const char* event, Run run) {
  for (int i = 0; i < 100; ++i) run();
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < kEvents; ++i) run();
  CALLGRIND_DUMP_STATS_AT(event);
}

// Between two toggles instructions are counted; run.py starts with counting
// off.
inline void toggle() { CALLGRIND_TOGGLE_COLLECT; }

}  // namespace poprt::counting

#endif  // POPRT_TESTS_INSTRUCTIONS_COUNTING_H_
