#include "runtime/exit_work.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace poprt::exit_work {
namespace {

// The C library runs each handler once, whichever thread comes for it: a thread
// is kept only if it finds one.  (From 2.41 on, glibc lets but one thread into
// exit(), and the others stay there.)
constexpr int kHandlers = 256;

std::atomic<bool> g_dropped{false};
std::atomic<pid_t> g_process{0};
// How many threads may have gone on to the end of the process, and the last of
// them: one at a time, as exit() is not made for more.
std::atomic<int> g_turn{0};
std::atomic<pthread_t> g_ender;
void (*g_work)() = nullptr;
int64_t g_patience_ns = 0;

// True for one of those that ask in the same turn.
bool take_turn(int turn) {
  if (!g_turn.compare_exchange_strong(turn, turn + 1)) return false;
  g_ender.store(pthread_self());
  return true;
}

// The process ends meanwhile; else it is another thread's turn to end it.
void stay() {
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
  // Nor in a child that the C library knows nothing of.
  if (g_dropped.load() || getpid() != g_process.load()) return;
  const bool first = take_turn(0);
  // It comes for all other handlers, too; and a signal's handler may call
  // exit() while it is at work.
  if (!first && g_ender.load() == pthread_self()) return;
  // For one thread more.  It also makes exit() look at its list anew: another
  // thread may have freed the part of it that this handler was in.
  std::atexit(handler);
  if (first) {
    g_work();
  } else {
    stay();
  }
}

}  // namespace

void set(void (*work)(), int64_t patience_ns) {
  g_work = work;
  g_process.store(getpid());
  g_patience_ns = patience_ns;
  for (int i = 0; i < kHandlers; ++i) std::atexit(handler);
}

void drop() { g_dropped.store(true); }

}  // namespace poprt::exit_work
