// FakeOpenMp: an OpenMP runtime that is controlled by the test.
//
// It loads the tool as a real runtime does, and keeps the callbacks that the
// tool sets. The test plays all of its threads, one after the other: at(thread,
// time) says which thread makes the next calls, and when. Each FakeOpenMp
// measures a Process of its own. The calls (not at()) may also come from other
// threads of the test, each of which sets its own time.
#ifndef POPRT_TESTS_LAYER_FAKE_OPENMP_H_
#define POPRT_TESTS_LAYER_FAKE_OPENMP_H_

#include <omp-tools.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "layer/fake_time.h"
#include "measure/events.h"
#include "model/totals.h"
#include "model/windows.h"

namespace poprt {

// OMPT's names for the same things, and a null for a late event.
using Data = ompt_data_t;

// How the tool's start goes, and what the tool reported.
struct FakeLifecycle {
  bool may_start = true;
  bool wants_devices = true;
  std::string runtime;  // as the tool reported it
  std::string tool;     // the tool that poprt gave way to
};
inline FakeLifecycle g_lifecycle;

class FakeOpenMp {
 public:
  // Thread 0 starts the runtime at time 0 and is in its initial task.
  // `unsupported` are callbacks that the runtime never makes.
  explicit FakeOpenMp(std::set<int> unsupported = {}, PathChoice path = {},
                      bool thread_rows = false, const WindowSpec& windows = {});
  ~FakeOpenMp();
  FakeOpenMp(const FakeOpenMp&) = delete;
  FakeOpenMp& operator=(const FakeOpenMp&) = delete;

  bool tool_is_active() const { return active_; }
  // Whether the tool wants this event now.
  bool reports(int event) const {
    const auto found = callbacks_.find(event);
    return found != callbacks_.end() && found->second != nullptr;
  }
  // The runtime ends, and starts again through the tool interface.
  void finalize();
  void start_again();
  Data initial{};

  FakeOpenMp& at(int thread, int64_t now_ns);
  Thread* thread(int number) const;

  void thread_begin(ompt_thread_t type);
  void thread_end();
  void parallel_begin(Data& task, Data& parallel, const void* code = nullptr,
                      bool league = false);
  void parallel_end(Data& parallel, Data& task);
  void implicit_begin(Data* parallel, Data& task, unsigned index,
                      int flags = ompt_task_implicit, unsigned size = 2);
  void implicit_end(Data& task, unsigned index, int flags = ompt_task_implicit);
  void task_create(Data& parent, Data& task, int flags = ompt_task_explicit,
                   const void* code = nullptr);
  // Types and addresses (or indices) as in ompt_dependence_t.
  void dependences(Data& task, const std::vector<std::pair<int, uint64_t>>& of);
  void schedule(Data* prior, int status, Data* next);
  void sync(int kind, int endpoint, Data* parallel, Data& task,
            const void* code = nullptr);
  void sync_wait(int kind, int endpoint, Data* parallel, Data& task,
                 const void* code = nullptr);
  void reduction(int endpoint, Data* parallel, Data& task);
  void work(int kind, int endpoint, Data* parallel, Data& task, uint64_t count,
            const void* code = nullptr);
  void masked(int endpoint, Data* parallel, Data& task);
  void acquire(ompt_mutex_t kind, uint64_t lock, const void* code = nullptr);
  void acquired(ompt_mutex_t kind, uint64_t lock, const void* code = nullptr);
  void released(ompt_mutex_t kind, uint64_t lock);
  void nest_lock(int endpoint, uint64_t lock);
  void lock_init(uint64_t lock, const void* code);
  void lock_destroy(uint64_t lock);
  void control_tool(uint64_t command);

  // Devices.  `region` is the data word of a region, null outside of all.
  // `target_task`: the word of the target task, where the runtime has one.
  void device_initialize(int device, const char* type);
  void target(int endpoint, Data& region, Data* encountering, int device = 0,
              Data* target_task = nullptr);
  void data_op(int endpoint, Data* region, int operation, int device = 0);
  void submit(int endpoint, Data* region);

  // Thread 0 begins a team with thread 1, at one time; the second one begins
  // the thread as well.
  void fork(int64_t now_ns, Data& encountering, Data& parallel, Data& primary,
            Data& worker, const void* code = nullptr);
  void fork_new(int64_t now_ns, Data& encountering, Data& parallel,
                Data& primary, Data& worker, const void* code = nullptr);

  // The order in which LLVM reports the end of a thread's part of a region: of
  // a worker, only the begin of the join barrier comes in time.
  void join_begin(Data& parallel, Data& task);
  void worker_late_end(Data& task, unsigned index);
  void primary_end(Data& parallel, Data& task, Data& encountering);

  // The totals up to `now_ns`. The states add up exactly to the elapsed time,
  // and with POPRT_CALLS=on so do the constructs to the time in OpenMP.
  JobTotals job(int64_t now_ns) const;
  RegionTotals totals(int64_t now_ns, const std::string& name = "Global") const;

 private:
  friend ompt_set_result_t fake_set_callback(ompt_callbacks_t event,
                                             ompt_callback_t callback);
  template <class Type, class... Arguments>
  void call(ompt_callbacks_t event, Arguments... arguments);

  ompt_start_tool_result_t* tool_ = nullptr;
  bool active_ = false;
  std::set<int> unsupported_;
  std::map<int, ompt_callback_t> callbacks_;
  std::map<int, Thread*> threads_;
  int current_ = 0;
  const std::thread::id owner_ = std::this_thread::get_id();
};

}  // namespace poprt

#endif  // POPRT_TESTS_LAYER_FAKE_OPENMP_H_
