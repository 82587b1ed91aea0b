#include "devices/kernel_threads.h"

#include <utility>

#include "base/mutex.h"
#include "devices/host_calls.h"
#include "measure/events.h"

namespace poprt {
namespace {

// Threads that stand for nobody now, linked by next_free.
constinit Mutex g_mutex;
Thread* g_free = nullptr;

Thread* take_free() {
  const MutexLock lock(g_mutex);
  if (!lock.held() || g_free == nullptr) return nullptr;
  return std::exchange(g_free, g_free->next_free);
}

void give_back(Thread& thread) {
  const MutexLock lock(g_mutex);
  if (!lock.held()) return;
  thread.next_free = g_free;
  g_free = &thread;
}

// As the runtime's helpers it is no member, and in no totals.
Thread& stand_in() {
  if (Thread* const known = take_free()) return *known;
  Thread& made = measured_process().add_thread(ThreadKind::kWorker, now_ns());
  device_thread_of(made).kernels = 1;
  device_thread_of(made).stands_in = true;
  made.turn_to(State::kAccelerator);
  // Time on a core is that of the thread for which it stands.
  made.cpu.start();
  made.cpu.stop();
  return made;
}

}  // namespace

void kernel_task_begin() {
  if (!measuring()) return;
  // A thread that works for kernels only is no member, as the helpers are.
  Thread& own = register_thread(ThreadKind::kWorker);
  if (runs_kernel(own)) {
    ++device_thread_of(own).kernel_tasks;
    return;
  }
  Thread& other = stand_in();
  DeviceThread& device = device_thread_of(other);
  device.stands_for = &own;
  device.kernel_tasks = 1;
  device.depth = device.deeper = 0;
  t_thread = &other;
}

void kernel_task_end(Thread& thread) {
  DeviceThread& device = device_thread_of(thread);
  if (!device.stands_in || --device.kernel_tasks > 0) return;
  t_thread = device.stands_for;
  give_back(thread);
}

}  // namespace poprt
