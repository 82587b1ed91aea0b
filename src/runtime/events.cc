#include "runtime/events.h"

namespace poprt {

std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;

Process& measured_process() {
  // Never destroyed: worker threads outlive main()'s static destructors.
  static Process* const process = new Process;
  return *process;
}

Thread& register_thread(ThreadKind kind) {
  if (t_thread == nullptr) {
    t_thread = &measured_process().add_thread(kind, now_ns());
  }
  return *t_thread;
}

}  // namespace poprt
