// Members that take the cores of others that have ended (events.h).
#include "measure/events.h"

namespace poprt {

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
