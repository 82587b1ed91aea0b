// Creation, end and join of threads.
#include <pthread.h>
#include <threads.h>

#include <atomic>
#include <new>

#include "modules/threads/entries.h"
#include "modules/threads/thread_call.h"

namespace poprt::modules::threads {
namespace {

// Its value in a thread tells how often its destructor was called there.
pthread_key_t g_key;
char g_first, g_second;
std::atomic<int64_t> g_refused{0};

// What a thread that is to be measured begins with.
template <class Run>
struct Start {
  Run* run;
  void* argument;
  SyncClock created;
};

const void* self() { return reinterpret_cast<const void*>(pthread_self()); }

// The C library calls it when a thread has returned, called pthread_exit() or
// was cancelled.  The first call asks for a second one, which is after those of
// the program and of OpenMP.
void at_end_of_thread(void* value) {
  if (value == &g_first && pthread_setspecific(g_key, &g_second) == 0) return;
  Thread* const core = measured_thread();
  if (core == nullptr) return;
  leave_call(*core);  // it may have ended in a wait
  const bool is_primary = core->process().primary() == core;
  const ToolWork work(*core);
  Lock* const ended = lock_of(self());
  if (is_primary) {
    core->switch_to(kIdle, now_ns());
    if (ended != nullptr) core->store_to(ended->released);
    return;
  }
  g_program_threads.ends(*core, ended, now_ns());
  core->stop_counting();
  core->cpu.stop();
  t_thread = nullptr;
  g_program_threads.give_back(*core);
}

void begin(const SyncClock& created) {
  if (!measuring() || t_thread != nullptr) return;
  Process& process = measured_process();
  Thread* const core = g_program_threads.begins(process, created, now_ns());
  if (core == nullptr) {
    g_refused.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  core->cpu.start();
  if (const Counting* const counting = process.counting()) {
    core->start_counting(*counting);
  }
  calls_of(*core).polled = {};
  t_thread = core;
  process.set_has_openmp();
  if (pthread_setspecific(g_key, &g_first) != 0) at_end_of_thread(&g_second);
}

// What a measured thread begins with, in place of the program's function.
template <class Run, class Result>
Result run_measured(void* argument) {
  auto* const start = static_cast<Start<Run>*>(argument);
  Run* const run = start->run;
  void* const own = start->argument;
  const int saved = errno;
  begin(start->created);
  delete start;
  errno = saved;
  return run(own);
}

// Creates a thread by create(run, argument), measured if it is the program's.
template <class Run, class Result, class Create>
int creating(Run* run, void* argument, Create create) {
  const int saved = errno;
  Thread* const creator =
      is_of_runtime(reinterpret_cast<const void*>(run), argument)
          ? nullptr
          : creating_thread();
  auto* const start = creator == nullptr ? nullptr
                                         : new (std::nothrow)
                                               Start<Run>{run, argument, {}};
  errno = saved;
  if (start == nullptr) return create(run, argument);
  {
    const ToolWork work(*creator);
    g_program_threads.creates(*creator, start->created, leave_ns());
    if (creator->process().primary() == creator) {
      pthread_setspecific(g_key, &g_first);  // it may call pthread_exit()
    }
    if (reach_new_objects()) creator->book_own_work(now_ns());
  }
  const int error = create(run_measured<Run, Result>, start);
  if (error != 0) {
    const ToolWork work(*creator);
    delete start;
    if (measuring()) g_program_threads.not_created(*creator, now_ns());
  }
  return error;
}

struct Creates {
  static int call(const auto& function, pthread_t* thread,
                  const pthread_attr_t* attributes, void* (*run)(void*),
                  void* argument) {
    return creating<void*(void*), void*>(
        run, argument, [&](void* (*first)(void*), void* own) {
          return function(thread, attributes, first, own);
        });
  }
  static int call(const auto& function, thrd_t* thread, thrd_start_t run,
                  void* argument) {
    return creating<int(void*), int>(run, argument,
                                     [&](thrd_start_t first, void* own) {
                                       return function(thread, first, own);
                                     });
  }
};

// Waits for the end of a thread.
struct Joins {
  static int call(const auto& function, pthread_t thread, auto... rest) {
    const auto* const end = reinterpret_cast<const void*>(thread);
    const int result = waiting(
        end, [&] { return function(thread, rest...); },
        [](int error) { return error == 0; });
    if (result == 0) forget(end);
    return result;
  }
};
struct TriesToJoin {
  static int call(const auto& function, pthread_t thread, void** result) {
    const int error = function(thread, result);
    if (error != 0) return error;
    const auto* const end = reinterpret_cast<const void*>(thread);
    take(end);
    forget(end);
    return error;
  }
};

}  // namespace

bool prepare_ends() {
  return pthread_key_create(&g_key, at_end_of_thread) == 0;
}

int64_t refused_threads() { return g_refused.load(std::memory_order_relaxed); }

std::vector<Entry> life_entries() {
  return {
      entry<"pthread_create",
            int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*),
            Creates>(),
      entry<"pthread_join", int(pthread_t, void**), Joins>(),
      entry<"pthread_tryjoin_np", int(pthread_t, void**), TriesToJoin>(),
      entry<"pthread_timedjoin_np", int(pthread_t, void**, const timespec*),
            Joins>(),
      entry<"pthread_clockjoin_np",
            int(pthread_t, void**, clockid_t, const timespec*), Joins>(),
      entry<"thrd_create", int(thrd_t*, thrd_start_t, void*), Creates>(),
      entry<"thrd_join", int(thrd_t, int*), Joins>(),
  };
}

}  // namespace poprt::modules::threads
