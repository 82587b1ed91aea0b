// CpuClock: how long one thread has had a core, by the kernel's clock for it.
#ifndef POPRT_MEASURE_CPU_CLOCK_H_
#define POPRT_MEASURE_CPU_CLOCK_H_

#include <atomic>
#include <cstdint>

#include "base/cell.h"

namespace poprt {

// start() and stop() are for the thread itself, the others for any thread.
class CpuClock {
 public:
  // The thread is known to the tool from here on.  After stop() the clock goes
  // on with that of another thread.
  void start();
  // The thread is about to end: the kernel forgets it then.
  void stop();
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }

  // The kernel's number of the thread; 0 before start().
  int thread_id() const { return id_.load(std::memory_order_acquire); }
  // Its time on a core before start(), in ns.
  int64_t before_ns() const { return before_.get(); }
  // Its time on a core since it was created, in ns; until stop() if that was
  // called, and together with what threads before it used between start() and
  // stop(). Negative if it is not known.
  int64_t read() const;
  // How long the threads that have called stop() could have run but had no
  // core, in ns.
  int64_t waited_of_ended_ns() const { return waited_.get(); }
  // The same of a thread of this process that the kernel knows by this number.
  static int64_t read(int thread_id);
  // The same of all threads of this process, with those that have ended.
  static int64_t read_process();

 private:
  std::atomic<int> id_{0};
  std::atomic<bool> stopped_{false};
  Cell before_;
  Cell at_stop_;
  Cell carried_;  // what read() adds to the clock of the thread
  Cell waited_;
};

// How long a thread could have run but had no core, in ns, by the text of
// /proc/PID/task/TID/schedstat; negative where that does not tell: of a kernel
// that does not count it, "0 0 0".
int64_t parse_waited(const char* schedstat);

}  // namespace poprt

#endif  // POPRT_MEASURE_CPU_CLOCK_H_
