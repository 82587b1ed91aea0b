#include "runtime/events.h"

#include "runtime/output.h"

namespace poprt {

std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;

Process& measured_process() {
  // Never destroyed: worker threads outlive main()'s static destructors.  Not
  // a static object of this function: its making may be interrupted by a
  // handler that comes here, too.
  static constinit std::atomic<Process*> g_process{nullptr};
  Process* known = g_process.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  Process* const made = new Process(selected_regions());
  if (g_process.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

Thread& register_thread(ThreadKind kind) {
  if (t_thread == nullptr) {
    // What the thread that started measurement wrote before; an event only
    // looks whether it has.
    g_phase.load(std::memory_order_acquire);
    t_thread = &measured_process().add_thread(kind, now_ns());
  }
  return *t_thread;
}

}  // namespace poprt
