#include "session/exit_work.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace poprt {
namespace {

// The C library runs each handler once, on whichever thread gets it, so a
// thread can be held only if a handler is left for it. (glibc from 2.41 on lets
// only one thread into exit().)
constexpr int kHandlers = 256;

std::atomic<bool> g_dropped{false};
std::atomic<pid_t> g_process{0};
// How many threads may have gone on to the end of the process, and the last of
// them.  They go on one at a time, because exit() is not made for several.
std::atomic<int> g_turn{0};
std::atomic<pthread_t> g_ender;
void (*g_work)() = nullptr;
int64_t g_patience_ns = 0;

// True for one of the threads that ask in the same turn.
bool take_turn(int turn) {
  if (!g_turn.compare_exchange_strong(turn, turn + 1)) return false;
  g_ender.store(pthread_self());
  return true;
}

// Waits.  Usually the process ends meanwhile; if not, the next thread gets its
// turn.
void wait_for_end_of_process() {
  int turn;
  do {
    turn = g_turn.load();
    timespec rest = {static_cast<time_t>(g_patience_ns / 1'000'000'000),
                     static_cast<long>(g_patience_ns % 1'000'000'000)};
    while (nanosleep(&rest, &rest) != 0) {
    }
  } while (!take_turn(turn));
}

void handler() {
  // Also not in a child made by a system call, of which the C library does not
  // know.
  if (g_dropped.load() || getpid() != g_process.load()) return;
  const bool first = take_turn(0);
  // The thread gets all other handlers too; and a signal handler may call
  // exit() while the thread does the work.
  if (!first && g_ender.load() == pthread_self()) return;
  // One handler for another thread.  It also makes exit() read its list again:
  // another thread may have freed the part that this handler was in.
  std::atexit(handler);
  if (first) {
    g_work();
  } else {
    wait_for_end_of_process();
  }
}

}  // namespace

void set_exit_work(void (*work)(), int64_t patience_ns) {
  g_work = work;
  g_process.store(getpid());
  g_patience_ns = patience_ns;
  for (int i = 0; i < kHandlers; ++i) std::atexit(handler);
}

void drop_exit_work() { g_dropped.store(true); }

}  // namespace poprt
