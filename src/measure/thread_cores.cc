// Threads that take the place of others that have ended (events.h).
#include <cxxabi.h>

#include <utility>

#include "measure/events.h"

// The library, for the C++ runtime.
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

namespace poprt {
namespace {

// Has been counted as a foreign one.
thread_local constinit bool t_is_counted = false;

// Gives the foreign thread's place back.  False: it is no foreign thread's (any
// more), or in use.
bool give_back_foreign() {
  Thread* const own = t_thread;
  if (own == nullptr || own->kind() != ThreadKind::kForeign || own->member() ||
      own->layer(EventLayer::kOpenMp) != nullptr || own->mpi_depth > 0) {
    return false;
  }
  t_thread = nullptr;
  own->process().give_back_foreign(*own);
  return true;
}

// Called among the destructors of the thread's C++ objects.  Others of these
// may call MPI after that, and take a place once more.
void end_foreign(void*) {
  if (measuring()) give_back_foreign();
}

// For a thread without a Thread.
Thread& core_of_new(ThreadKind kind, int64_t now_ns) {
  // As in register_thread().
  g_phase.load(std::memory_order_acquire);
  Process& process = measured_process();
  Thread* const core = process.take_core();
  if (core == nullptr) return register_thread(kind);
  core->begin_again(kind, now_ns);
  core->cpu.start();
  if (const Counting* const counting = process.counting()) {
    core->start_counting(*counting);
  }
  t_thread = core;
  return *core;
}

}  // namespace

Thread& foreign_thread(Process& process, int64_t now_ns) {
  abi::__cxa_thread_atexit(end_foreign, nullptr, &__dso_handle);
  return process.take_foreign(now_ns, !std::exchange(t_is_counted, true));
}

Thread& register_on_core(ThreadKind kind, int64_t now_ns) {
  Thread* const own = t_thread;
  if (own == nullptr) return core_of_new(kind, now_ns);
  // What the Thread has from others that have ended is in no number, and must
  // not become a member's.
  if (!own->was_anothers) return *own;
  SyncClock clocks;
  own->book(now_ns);
  own->store_to(clocks);
  if (!give_back_foreign()) return *own;
  Thread& core = core_of_new(kind, now_ns);
  core.merge(clocks);
  return core;
}

void leave_core(Thread& core, int64_t now_ns) {
  core.switch_to(kIdle, now_ns);
  core.leaves_team();
  core.stop_counting();
  core.cpu.stop();
  if (core.ends_in_module) return;
  t_thread = nullptr;
  if (core.member()) core.process().give_back(core);
}

}  // namespace poprt
