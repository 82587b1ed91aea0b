#include "modules/threads/threads.h"

#include <atomic>
#include <utility>
#include <vector>

#include "base/search_entries.h"
#include "measure/process.h"
#include "model/noted.h"
#include "model/quantities.h"
#include "modules/threads/entries.h"
#include "modules/threads/runtime_objects.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {

constinit ProgramThreads g_program_threads;
ThreadCalls g_calls[kCallingThreads];

namespace {

struct Place {
  uintptr_t begin, end;
  friend bool operator==(const Place&, const Place&) = default;
};
// The code of runtime libraries (MPI, OpenMP) and of the C++ library.
struct Places {
  std::vector<Place> runtimes;
  std::vector<Place> cxx;
  const Places* before = nullptr;  // in the list of all
};
// The present ones.  None is freed, because other threads may still read it.
std::atomic<const Places*> g_places{nullptr};
// The list of all.  Equal places are one object, because a program may open and
// close a library again and again.
const Places* g_all_places = nullptr;
// Lives as long as the process.
EntrySlots* g_slots = nullptr;
bool (*g_start_measurement)() = nullptr;
int g_refused_objects = 0;

void set_places(Places now) {
  const Places* known = g_all_places;
  while (known != nullptr &&
         (known->runtimes != now.runtimes || known->cxx != now.cxx)) {
    known = known->before;
  }
  if (known == nullptr) {
    now.before = g_all_places;
    known = g_all_places = new Places(std::move(now));
  }
  g_places.store(known, std::memory_order_release);
}

// Called by one thread at a time.
std::vector<bool> left_out(const std::vector<LoadedObject>& objects) {
  std::vector<bool> runtimes = runtimes_among(objects);
  Places places;
  for (size_t i = 0; i < objects.size(); ++i) {
    const LoadedObject& object = objects[i];
    if (runtimes[i]) places.runtimes.push_back({object.begin, object.end});
    if (object.name.starts_with("libstdc++.") ||
        object.name.starts_with("libc++.")) {
      places.cxx.push_back({object.begin, object.end});
    }
  }
  set_places(std::move(places));
  return runtimes;
}

bool is_in(const std::vector<Place>& places, uintptr_t address) {
  for (const Place& each : places) {
    if (each.begin <= address && address < each.end) return true;
  }
  return false;
}

void reach_objects() {
  if (g_slots != nullptr) return;
  if (!prepare_ends()) return;
  std::vector<Entry> entries = life_entries();
  for (const auto& more : {mutex_entries(), signal_entries(), system_entries(),
                           jump_entries(), search_entries()}) {
    entries.insert(entries.end(), more.begin(), more.end());
  }
  g_slots = new EntrySlots(entries, left_out);
  g_refused_objects = g_slots->fill().refused;
  before_searches([] { reach_new_objects(); });
}

class ProgramThreadsPart final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>&, int64_t,
              JobTotals* job) const override {
    set_amount(kProgramThreads.name, g_program_threads.begun(),
               &job->resources);
    if (const int64_t refused = refused_threads(); refused > 0) {
      static_assert(ProgramThreads::kMostCores == 4096);  // as in the note
      job->quality.notes.push_back(noted<"threads_at_once">(refused));
    }
  }
  void restart(const std::vector<Thread*>&) const override {}
};

}  // namespace

void leave_call(Thread& thread) {
  ThreadCalls& calls = calls_of(thread);
  const ToolWork work(thread);
  if (!calls.waits.exchange(false, std::memory_order_relaxed)) return;
  g_program_threads.wait_ends(thread, calls.awaited, false, now_ns());
  end_wait(calls.awaited_mutex);
}

bool has_left_call(Thread& thread, uintptr_t now) {
  const ThreadCalls& calls = calls_of(thread);
  if (!calls.busy.load(std::memory_order_relaxed) &&
      !calls.waits.load(std::memory_order_relaxed)) {
    return false;
  }
  if (!is_left(calls.frame.load(std::memory_order_relaxed), now,
               kLeastSignalFrame)) {
    return false;
  }
  leave_call(thread);
  return thread.state() == State::kUseful;
}

Thread* creating_thread() {
  if (g_start_measurement != nullptr && !measuring()) g_start_measurement();
  return working_thread();
}

bool is_of_runtime(const void* run, const void* argument) {
  const Places* const places = g_places.load(std::memory_order_acquire);
  const auto code = reinterpret_cast<uintptr_t>(run);
  if (is_in(places->runtimes, code)) return true;
  // A std::thread begins in the C++ library.  The first word of its argument is
  // the address of a vtable in the library that has created the thread.
  return argument != nullptr && is_in(places->cxx, code) &&
         is_in(places->runtimes, *static_cast<const uintptr_t*>(argument));
}

bool reach_new_objects() {
  if (g_slots == nullptr || g_phase.load() == Phase::kFinished ||
      !g_slots->has_new_objects())
    return false;
  g_slots->fill();
  return true;
}

void watch(bool (*start_measurement)()) {
  g_start_measurement = start_measurement;
  reach_objects();
}

void start(const Options& options, Started* started) {
  if (!options.all_threads) return;
  reach_objects();
  if (g_slots == nullptr) {
    started->notes.push_back(noted<"threads_without_end">());
    return;
  }
  if (g_refused_objects > 0) {
    started->notes.push_back(noted<"threads_of_libraries">(g_refused_objects));
  }
  started->parts.push_back(new ProgramThreadsPart);  // as long as the process
}

}  // namespace poprt::modules::threads
