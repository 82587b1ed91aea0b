// New threads that take the Thread of a thread that has ended (events.h).
#include <cxxabi.h>

#include <utility>

#include "measure/events.h"

// How the C++ runtime names this library.
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

namespace poprt {
namespace {

// The calling thread was counted as a foreign thread.
thread_local constinit bool t_is_counted = false;

// Gives the Thread of the calling thread back, if this is a foreign thread and
// not in MPI.  Returns whether it did.
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

// Called at the thread's end, among the destructors of its C++ objects.  If a
// later destructor calls MPI, the thread takes a Thread once more.
void end_foreign(void*) {
  if (measuring()) give_back_foreign();
}

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
  // What earlier foreign threads have left in `own` must not become a member's.
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
