// The exported functions of include/poprt.h.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/guard.h"
#include "base/memory.h"
#include "measure/due_work.h"
#include "measure/events.h"
#include "model/job.h"
#include "model/noted.h"
#include "session/lifecycle.h"
#include "session/output.h"
#include "session/region_metrics.h"
#include "session/settings.h"

namespace poprt {
namespace {

// If nothing is measured yet, a thread that calls here first is the primary
// thread; later, such a thread is unknown to OpenMP.
Thread* region_thread() {
  if (!measuring() && !start_with_region()) return nullptr;
  return t_thread != nullptr ? t_thread
                             : &register_thread(ThreadKind::kForeign);
}

// Like measuring(), for a thread that may have no Thread yet: synchronises with
// the start of measurement.
bool started() {
  return g_phase.load(std::memory_order_acquire) == Phase::kMeasuring;
}

// Measurement is over, or this is the child of a fork(), in which locks may be
// held for ever.
bool over() {
  return g_phase.load(std::memory_order_relaxed) == Phase::kFinished;
}

std::string_view text_of(const char* text) {
  return text == nullptr ? std::string_view() : text;
}

bool is_reserved(std::string_view name) {
  if (name != kGlobalRegion) return false;
  process_of_program().note(noted<"region_reserved">());
  return true;
}

template <class Region>
using Change = void (Process::*)(Thread&, Region);

template <class Region>
void apply_to_region(Change<Region> what, Region region) {
  Thread* const thread = region_thread();
  if (thread == nullptr) return;
  {
    const WorkTime time(thread->cost.region_calls);
    thread->book(now_ns());
    (thread->process().*what)(*thread, region);
  }
  look_for_due_work(thread->last_event_ns());
}

pop_region_t find_region(std::string_view name) {
  return over() || is_reserved(name) ? Process::kNoRegion
                                     : process_of_program().region_find(name);
}

// If not all regions are selected, by handle, which knows whether its region
// is.
void apply_to_region(Change<std::string_view> by_name, Change<int> by_handle,
                     std::string_view name) {
  const Process& process =
      t_thread != nullptr ? t_thread->process() : process_of_program();
  if (process.selects_all_regions()) {
    if (!is_reserved(name)) apply_to_region(by_name, name);
    return;
  }
  const pop_region_t region = find_region(name);
  if (region != Process::kNoRegion) apply_to_region(by_handle, region);
}

// Includes the time until now.
JobTotals totals_now(std::string_view name) {
  int64_t now = now_ns();
  if (t_thread != nullptr) {
    t_thread->book(now);
    now = t_thread->last_event_ns();
  }
  return measured_process().totals_of(name, now, host_name());
}

// A program that was compiled with another version of poprt.h has a shorter or
// a longer struct.  Further members of a longer one are set to -1 or NaN
// (poprt.h).
int copy_metrics(JobTotals totals, void* metrics, size_t size) {
  pop_region_metrics_t result;
  if (!region_metrics(std::move(totals), &result)) return 0;
  if (metrics == nullptr) {
    measured_process().note(noted<"metrics_without_place">());
    return 0;
  }
  const size_t known = std::min(size, sizeof result);
  std::memcpy(metrics, &result, known);
  std::memset(static_cast<char*>(metrics) + known, 0xff, size - known);
  return 1;
}

// What the program asks of the tool is the tool's time.  It is long beside a
// time stamp, so each is timed.
template <class Work>
void do_timed(Work work) {
  if (t_thread == nullptr) return work();
  const RareWorkTime time(t_thread->cost);
  work();
}

// A function of its own, so that its totals are not on the stack while
// processes wait for each other before.
[[gnu::noinline]] int combined_metrics(Transport& transport,
                                       std::string_view name, void* metrics,
                                       size_t size) {
  int given = 0;
  JobTotals totals;
  (void)outcome_with_room(
      [&] { do_timed([&] { totals = totals_now(name); }); });
  Thread& thread = register_thread(ThreadKind::kForeign);
  const State before = thread.state();
  thread.switch_to(State::kMpi, now_ns());
  transport.combine_for_all(&totals);
  thread.switch_to(before, now_ns());
  (void)outcome_with_room([&] {
    do_timed([&] { given = copy_metrics(std::move(totals), metrics, size); });
  });
  return given;
}

int own_metrics(std::string_view name, void* metrics, size_t size) {
  int given = 0;
  (void)outcome_with_room([&] {
    if (!started()) return;
    do_timed([&] { given = copy_metrics(totals_now(name), metrics, size); });
  });
  return given;
}

int job_metrics(std::string_view name, void* metrics, size_t size) {
  Transport* transport = nullptr;
  if (!started() || !reach_job(&transport)) return 0;
  if (transport == nullptr) return own_metrics(name, metrics, size);
  transport->synchronise();
  return combined_metrics(*transport, name, metrics, size);
}

}  // namespace
}  // namespace poprt

// The last argument of the functions that return metrics is the size of the
// program's struct.
#define POPRT_EXPORT __attribute__((visibility("default")))

extern "C" {

POPRT_EXPORT void pop_region_start(const char* name);
POPRT_EXPORT void pop_region_stop(const char* name);
POPRT_EXPORT pop_region_t pop_region_find(const char* name);
POPRT_EXPORT void pop_region_enter(pop_region_t region);
POPRT_EXPORT void pop_region_leave(pop_region_t region);
POPRT_EXPORT void pop_metadata(const char* key, const char* value);
POPRT_EXPORT int pop_region_metrics(const char* name,
                                    pop_region_metrics_t* metrics, size_t size);
POPRT_EXPORT int pop_region_metrics_job(const char* name,
                                        pop_region_metrics_t* metrics,
                                        size_t size);
POPRT_EXPORT const char* pop_version(void);

void pop_region_start(const char* name) {
  poprt::apply_to_region(&poprt::Process::region_start,
                         &poprt::Process::region_enter, poprt::text_of(name));
}

void pop_region_stop(const char* name) {
  poprt::apply_to_region(&poprt::Process::region_stop,
                         &poprt::Process::region_leave, poprt::text_of(name));
}

pop_region_t pop_region_find(const char* name) {
  return poprt::find_region(poprt::text_of(name));
}

void pop_region_enter(pop_region_t region) {
  if (region != poprt::Process::kNoRegion) {
    poprt::apply_to_region(&poprt::Process::region_enter, region);
  }
}

void pop_region_leave(pop_region_t region) {
  if (region != poprt::Process::kNoRegion) {
    poprt::apply_to_region(&poprt::Process::region_leave, region);
  }
}

void pop_metadata(const char* key, const char* value) {
  if (poprt::over()) return;
  poprt::attempt_with_memory([&] {
    poprt::process_of_program().set_metadata(poprt::text_of(key),
                                             poprt::text_of(value));
  });
}

int pop_region_metrics(const char* name, pop_region_metrics_t* metrics,
                       size_t size) {
  return poprt::own_metrics(poprt::text_of(name), metrics, size);
}

int pop_region_metrics_job(const char* name, pop_region_metrics_t* metrics,
                           size_t size) {
  return poprt::job_metrics(poprt::text_of(name), metrics, size);
}

const char* pop_version(void) { return POPRT_VERSION; }

}  // extern "C"
