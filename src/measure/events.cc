#include "measure/events.h"

#include <utility>

#include "base/publish.h"

namespace poprt {

std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;

namespace {

// Never destroyed, because worker threads outlive the destruction of static
// objects.
constinit std::atomic<Process*> g_process{nullptr};

}  // namespace

Process* known_process() { return g_process.load(std::memory_order_acquire); }

Process& make_process(RegionSelection selection, PathChoice path,
                      const WindowSpec& windows, bool thread_rows) {
  return publish(g_process, new Process(std::move(selection), std::move(path),
                                        windows, thread_rows));
}

Process& measured_process() { return *known_process(); }

Thread& register_thread(ThreadKind kind) {
  if (t_thread == nullptr) {
    // Synchronises with the thread that has started measurement; an event reads
    // g_phase without that.
    g_phase.load(std::memory_order_acquire);
    Process& process = measured_process();
    t_thread = kind == ThreadKind::kForeign
                   ? &foreign_thread(process, now_ns())
                   : &process.add_thread(kind, now_ns());
    t_thread->cpu.start();
    const Counting* const counting = process.counting();
    // Of other threads only the time in MPI is kept.
    if (counting != nullptr && kind != ThreadKind::kForeign) {
      t_thread->start_counting(*counting);
    }
  }
  return *t_thread;
}

}  // namespace poprt
