// A process that a test drives by hand.
#ifndef POPRT_TESTS_ORACLE_RANK_H_
#define POPRT_TESTS_ORACLE_RANK_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "clocks/clock_message.h"
#include "measure/process.h"
#include "measure/thread.h"
#include "model/totals.h"
#include "openmp/tasking.h"

namespace poprt::oracle {

// A process of one thread, unless the test adds more, from time zero.
struct Rank {
  ~Rank() { delete omp_thread(thread); }

  Process process;
  Thread& thread = process.add_thread(ThreadKind::kProgram, 0);

  void open(const std::string& name, int64_t now_ns) {
    thread.book(now_ns);
    process.region_start(thread, name);
  }
  void close(const std::string& name, int64_t now_ns) {
    thread.book(now_ns);
    process.region_stop(thread, name);
  }
  // Opens a region by its handle.
  void enter(int region, int64_t now_ns) {
    thread.book(now_ns);
    process.region_enter(thread, region);
  }
  void leave(int region, int64_t now_ns) {
    thread.book(now_ns);
    process.region_leave(thread, region);
  }
  ClockMessage send(int64_t now_ns) {
    ClockMessage message;
    thread.book(now_ns);
    thread.store_to(message);
    return message;
  }
  // Waits for the message from `from_ns` to `to_ns`.
  void receive(const ClockMessage& message, int64_t from_ns, int64_t to_ns) {
    thread.switch_to(State::kMpi, from_ns);
    thread.switch_to(State::kUseful, to_ns);
    thread.merge(message);
  }
  JobTotals totals(int64_t now_ns) { return process.totals(now_ns, "node"); }
};

// Null if the job has no such region.
inline const RegionTotals* find(const JobTotals& job, const std::string& name) {
  const uint64_t key = text_hash(name.data(), name.size());
  const auto found =
      std::find_if(job.regions.begin(), job.regions.end(),
                   [key](const RegionTotals& r) { return r.key == key; });
  return found == job.regions.end() ? nullptr : &*found;
}

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_RANK_H_
