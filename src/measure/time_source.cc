#include "measure/time_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/monotonic.h"

namespace poprt {

ClockScale g_clock_scale;

namespace {

#if defined(__x86_64__)

bool counter_is_invariant() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

// The kernel compares the counters of all sockets.  If they drift apart it uses
// another clock source, and so does this.
bool kernel_trusts_counter() {
  const int file =
      open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
           O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char name[32] = {};
  const ssize_t length = read(file, name, sizeof name - 1);
  close(file);
  return length >= 3 &&
         (std::strncmp(name, "tsc", 3) == 0 ||
          std::strncmp(name, "kvm-clock", 9) == 0 ||
          std::strncmp(name, "hyperv_clocksource_tsc_page", 27) == 0);
}

struct Reading {
  uint64_t ticks = 0;
  int64_t ns = 0;
};

// Both clocks at the same instant: of several tries the one with the least time
// in between.
Reading read_both() {
  Reading best;
  uint64_t least = ~uint64_t{0};
  for (int i = 0; i < 8; ++i) {
    const uint64_t before = __rdtsc();
    const int64_t ns = monotonic_ns();
    const uint64_t after = __rdtsc();
    if (after - before < least) {
      least = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

bool start_counter() {
  if (!counter_is_invariant() || !kernel_trusts_counter()) return false;
  constexpr int64_t kCalibration_ns = 2'000'000;
  const Reading first = read_both();
  while (monotonic_ns() - first.ns < kCalibration_ns) {
  }
  const Reading last = read_both();
  if (last.ticks <= first.ticks) return false;
  g_clock_scale.base = last.ticks;
  g_clock_scale.ns_per_2_32 =
      static_cast<uint64_t>((static_cast<Wide>(last.ns - first.ns) << 32) /
                            (last.ticks - first.ticks));
  g_clock_scale.tsc = true;
  return true;
}

#else

bool start_counter() { return false; }

#endif

}  // namespace

int64_t system_now_ns() {
  return monotonic_ns() - static_cast<int64_t>(g_clock_scale.base);
}

void start_clock() {
  if (!start_counter()) {
    g_clock_scale.base = static_cast<uint64_t>(monotonic_ns());
  }
}

const char* clock_name() {
  return g_clock_scale.tsc ? "tsc" : "clock_monotonic";
}

}  // namespace poprt
