// The exported side of include/poprt.h.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "model/job.h"
#include "runtime/events.h"
#include "runtime/lifecycle.h"
#include "runtime/memory.h"
#include "runtime/output.h"
#include "runtime/region_metrics.h"

namespace poprt {
namespace {

// A thread that calls here first is the program's where nothing is measured
// yet, and unknown to OpenMP else.
Thread* region_thread() {
  if (!measuring() && !lifecycle::start_with_region()) return nullptr;
  return t_thread != nullptr ? t_thread
                             : &register_thread(ThreadKind::kForeign);
}

// As measuring(), for a thread that may have no Thread yet: it sees what was
// written when measurement started.
bool started() {
  return g_phase.load(std::memory_order_acquire) == Phase::kMeasuring;
}

// The end, and the child of a fork, in which locks may be held for good.
bool over() {
  return g_phase.load(std::memory_order_relaxed) == Phase::kFinished;
}

std::string_view text_of(const char* text) {
  return text == nullptr ? std::string_view() : text;
}

bool is_reserved(std::string_view name) {
  if (name != kGlobalRegion) return false;
  measured_process().note("region name 'Global' is reserved; ignored");
  return true;
}

template <class Region>
using Change = void (Process::*)(Thread&, Region);

template <class Region>
void change(Change<Region> what, Region region) {
  Thread* const thread = region_thread();
  if (thread == nullptr) return;
  thread->book(now_ns());
  (thread->process().*what)(*thread, region);
}

pop_region_t find(std::string_view name) {
  return over() || is_reserved(name) ? Process::kNoRegion
                                     : measured_process().region_find(name);
}

// By a handle where not all regions are selected: it knows whether this one is.
void change(Change<std::string_view> by_name, Change<int> by_handle,
            std::string_view name) {
  const Process& process =
      t_thread != nullptr ? t_thread->process() : measured_process();
  if (process.selects_all_regions()) {
    if (!is_reserved(name)) change(by_name, name);
    return;
  }
  const pop_region_t region = find(name);
  if (region != Process::kNoRegion) change(by_handle, region);
}

// Where the caller is now is in the figures.
JobTotals totals_now(std::string_view name) {
  int64_t now = now_ns();
  if (t_thread != nullptr) {
    t_thread->book(now);
    now = t_thread->last_event_ns();
  }
  return measured_process().totals_of(name, now, host_name());
}

// A program compiled with another version of poprt.h has a shorter struct, or
// a longer one, whose further members become -1 and not a number (poprt.h).
int give(JobTotals totals, void* metrics, size_t size) {
  pop_region_metrics_t result;
  if (!region_metrics(std::move(totals), &result)) return 0;
  if (metrics == nullptr) {
    measured_process().note("metrics were asked for and given no place");
    return 0;
  }
  const size_t known = std::min(size, sizeof result);
  std::memcpy(metrics, &result, known);
  std::memset(static_cast<char*>(metrics) + known, 0xff, size - known);
  return 1;
}

int job_metrics(std::string_view name, void* metrics, size_t size) {
  Transport* transport = nullptr;
  if (!started() || !lifecycle::reach_job(&transport)) return 0;
  if (transport == nullptr) return give(totals_now(name), metrics, size);
  transport->synchronise();
  JobTotals totals = totals_now(name);
  Thread& thread = register_thread(ThreadKind::kForeign);
  const State before = thread.state();
  thread.switch_to(State::kMpi, now_ns());
  transport->combine_for_all(&totals);
  thread.switch_to(before, now_ns());
  return give(std::move(totals), metrics, size);
}

}  // namespace
}  // namespace poprt

// The last argument of those that give metrics is the size of the struct.
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
  poprt::change(&poprt::Process::region_start, &poprt::Process::region_enter,
                poprt::text_of(name));
}

void pop_region_stop(const char* name) {
  poprt::change(&poprt::Process::region_stop, &poprt::Process::region_leave,
                poprt::text_of(name));
}

pop_region_t pop_region_find(const char* name) {
  return poprt::find(poprt::text_of(name));
}

void pop_region_enter(pop_region_t region) {
  if (region != poprt::Process::kNoRegion) {
    poprt::change(&poprt::Process::region_enter, region);
  }
}

void pop_region_leave(pop_region_t region) {
  if (region != poprt::Process::kNoRegion) {
    poprt::change(&poprt::Process::region_leave, region);
  }
}

void pop_metadata(const char* key, const char* value) {
  if (poprt::over()) return;
  poprt::memory::attempt([&] {
    poprt::measured_process().set_metadata(poprt::text_of(key),
                                           poprt::text_of(value));
  });
}

int pop_region_metrics(const char* name, pop_region_metrics_t* metrics,
                       size_t size) {
  int given = 0;
  poprt::memory::attempt([&] {
    if (!poprt::started()) return;
    given = poprt::give(poprt::totals_now(poprt::text_of(name)), metrics, size);
  });
  return given;
}

int pop_region_metrics_job(const char* name, pop_region_metrics_t* metrics,
                           size_t size) {
  return poprt::job_metrics(poprt::text_of(name), metrics, size);
}

const char* pop_version(void) { return POPRT_VERSION; }

}  // extern "C"
