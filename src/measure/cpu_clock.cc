#include "measure/cpu_clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "base/no_cancellation.h"

namespace poprt {
namespace {

int64_t read_clock(clockid_t clock) {
  timespec time = {};
  if (clock_gettime(clock, &time) != 0) return -1;
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// The kernel's CPU clock of a thread (CLOCK_THREAD_CPUTIME_ID of another one).
// POSIX gives it only for threads that surely live; made of the thread's
// number, it is an error to read the clock of one that has ended.
clockid_t clock_of(int thread_id) {
  constexpr unsigned kOfThread = 4;
  constexpr unsigned kScheduled = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread_id) << 3) |
                                kOfThread | kScheduled);
}

// Allocates nothing, because the thread is ending.
int64_t waited_of_this_thread() {
  const NoCancellation whole;  // it has a result by now
  const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t length = ::read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = '\0';
  return std::max<int64_t>(0, parse_waited(text));
}

}  // namespace

int64_t parse_waited(const char* schedstat) {
  // Time on a core, time waited for one, slices.
  char* next = nullptr;
  const long long on_core = std::strtoll(schedstat, &next, 10);
  if (next == schedstat || *next != ' ') return -1;
  const char* const second = next + 1;
  const long long waited = std::strtoll(second, &next, 10);
  const bool is_told = next != second && on_core >= 0 && waited >= 0;
  return is_told && on_core + waited > 0 ? waited : -1;
}

void CpuClock::start() {
  const int64_t now = read_clock(CLOCK_THREAD_CPUTIME_ID);
  if (stopped_.load(std::memory_order_relaxed)) {
    carried_.set(at_stop_.get() - now);
    stopped_.store(false, std::memory_order_release);
  } else {
    before_.set(now);
  }
  id_.store(gettid(), std::memory_order_release);
}

void CpuClock::stop() {
  at_stop_.set(read_clock(CLOCK_THREAD_CPUTIME_ID) + carried_.get());
  waited_.set(waited_.get() + waited_of_this_thread());
  stopped_.store(true, std::memory_order_release);
}

int64_t CpuClock::read() const {
  if (stopped_.load(std::memory_order_acquire)) return at_stop_.get();
  const int64_t now = thread_id() == 0 ? -1 : read(thread_id());
  return now < 0 ? now : now + carried_.get();
}

int64_t CpuClock::read(int thread_id) {
  return read_clock(clock_of(thread_id));
}

int64_t CpuClock::read_process() {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace poprt
