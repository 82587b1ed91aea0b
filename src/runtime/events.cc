#include "runtime/events.h"

#include "runtime/output.h"

namespace poprt {

std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;

Process& measured_process() {
  // Never destroyed: worker threads outlive main()'s static destructors.
  static Process* const process = new Process(selected_regions());
  return *process;
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
