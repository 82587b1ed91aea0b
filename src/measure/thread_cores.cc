// Threads that take the place of others that have ended (events.h).
#include "measure/events.h"

namespace poprt {
namespace {

// Ends with its thread.
struct ForeignThread {
  ~ForeignThread() {
    Thread* const own = t_thread;
    // One that has become a member ends elsewhere.
    if (own == nullptr || own->kind() != ThreadKind::kForeign ||
        own->member() || own->layer(EventLayer::kOpenMp) != nullptr ||
        own->mpi_depth > 0) {
      return;
    }
    t_thread = nullptr;
    own->process().give_back_foreign(*own);
  }
  bool is_there = true;
};
thread_local ForeignThread t_foreign;

}  // namespace

Thread& foreign_thread(Process& process, int64_t now_ns) {
  t_foreign.is_there = true;  // from here on its destructor will be called
  return process.take_foreign(now_ns);
}

Thread& register_on_core(ThreadKind kind, int64_t now_ns) {
  if (t_thread != nullptr) return *t_thread;
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
