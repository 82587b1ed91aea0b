#include "layer/fake_openmp.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "measure/call_sites.h"
#include "ompt/callbacks.h"
#include "openmp/locks.h"
#include "session/lifecycle.h"

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*);

namespace poprt {

// Stands in for events.cc and lifecycle.cc of the library.
std::atomic<Phase> g_phase{Phase::kDormant};
thread_local constinit Thread* t_thread = nullptr;

namespace {

FakeOpenMp* g_fake = nullptr;

// Never freed, as in the library: pools and threads point into each other.
std::vector<Process*>& processes() {
  static auto* const all = new std::vector<Process*>;
  return *all;
}

}  // namespace

Process& measured_process() { return *processes().back(); }

Thread& register_thread(ThreadKind kind) {
  if (t_thread == nullptr) {
    t_thread = &measured_process().add_thread(kind, now_ns());
  }
  return *t_thread;
}

bool start_with_openmp(const char* runtime, const void*) {
  if (!g_lifecycle.may_start) return false;
  g_lifecycle.runtime = runtime;
  if (measured_process().region_count() > 0) return true;  // again
  Thread& thread = register_thread(ThreadKind::kProgram);
  thread.book(now_ns());
  measured_process().region_start(thread, "Global");
  g_phase.store(Phase::kMeasuring);
  return true;
}

void loaded() {}

bool wants_openmp_devices() { return g_lifecycle.wants_devices; }
void devices_starting() {}

void openmp_ended(const void*) { g_lifecycle.runtime.clear(); }

void give_way_to_tool(const std::string& path) { g_lifecycle.tool = path; }

ompt_set_result_t fake_set_callback(ompt_callbacks_t event,
                                    ompt_callback_t callback) {
  if (g_fake->unsupported_.count(event) != 0) return ompt_set_never;
  g_fake->callbacks_[event] = callback;
  return ompt_set_always;
}

namespace {

// Each region's time in OpenMP is in one construct, or in the rest.
void expect_constructs_add_up(const JobTotals& job) {
  EXPECT_TRUE(lists_sorted(job));
  for (const RegionTotals& region : job.regions) {
    int64_t time_ns = 0;
    for (const ConstructSiteTotals& site : job.construct_sites) {
      if (site.region != region.name) continue;
      time_ns += site.time_ns;
      EXPECT_GE(site.time_ns, 0) << site.construct;
      EXPECT_LE(site.waiting_ns, site.time_ns) << site.construct;
    }
    EXPECT_EQ(region.omp_sum_ns, time_ns) << region.name;
  }
}

ompt_interface_fn_t lookup(const char* name) {
  return std::strcmp(name, "ompt_set_callback") == 0
             ? reinterpret_cast<ompt_interface_fn_t>(fake_set_callback)
             : nullptr;
}

}  // namespace

FakeOpenMp::FakeOpenMp(std::set<int> unsupported, PathChoice path,
                       bool thread_rows, const WindowSpec& windows)
    : unsupported_(std::move(unsupported)) {
  g_fake = this;
  g_uncontended_ns.store(0);
  if (path.constructs) want_construct_sites();
  processes().push_back(new Process({}, std::move(path), windows, thread_rows));
  const char* const calls = std::getenv("POPRT_CALLS");
  if (calls != nullptr && std::strcmp(calls, "on") == 0) want_call_sites();
  at(0, 0);
  tool_ = ompt_start_tool(202111, "fake OpenMP 1.0");
  active_ = tool_ != nullptr && tool_->initialize(lookup, 0, nullptr) != 0;
  if (!active_) return;
  thread_begin(ompt_thread_initial);
  Data no_region{};
  implicit_begin(&no_region, initial, 1, ompt_task_initial);
}

void FakeOpenMp::finalize() {
  tool_->finalize(&tool_->tool_data);
  callbacks_.clear();
}

void FakeOpenMp::start_again() {
  tool_->initialize(lookup, 0, nullptr);
  initial = {};
  thread_begin(ompt_thread_initial);
  Data no_region{};
  implicit_begin(&no_region, initial, 1, ompt_task_initial);
}

FakeOpenMp::~FakeOpenMp() {
  g_phase.store(Phase::kDormant);
  t_thread = nullptr;
}

FakeOpenMp& FakeOpenMp::at(int thread, int64_t now_ns) {
  current_ = thread;
  t_thread = threads_[thread];
  t_fake_now_ns = now_ns;
  return *this;
}

Thread* FakeOpenMp::thread(int number) const {
  const auto found = threads_.find(number);
  return found == threads_.end() ? nullptr : found->second;
}

template <class Type, class... Arguments>
void FakeOpenMp::call(ompt_callbacks_t event, Arguments... arguments) {
  if (!reports(event)) return;
  reinterpret_cast<Type>(callbacks_.find(event)->second)(arguments...);
  if (std::this_thread::get_id() == owner_) threads_[current_] = t_thread;
}

void FakeOpenMp::thread_begin(ompt_thread_t type) {
  call<ompt_callback_thread_begin_t>(ompt_callback_thread_begin, type, nullptr);
}

void FakeOpenMp::thread_end() {
  call<ompt_callback_thread_end_t>(ompt_callback_thread_end, nullptr);
}

void FakeOpenMp::parallel_begin(Data& task, Data& parallel, const void* code,
                                bool league) {
  parallel = {};
  const unsigned flags = ompt_parallel_invoker_runtime |
                         (league ? ompt_parallel_league : ompt_parallel_team);
  call<ompt_callback_parallel_begin_t>(ompt_callback_parallel_begin, &task,
                                       nullptr, &parallel, 2u,
                                       static_cast<int>(flags), code);
}

void FakeOpenMp::parallel_end(Data& parallel, Data& task) {
  // The runtime has given the team away: others have it, or nobody.
  parallel.ptr = &parallel;
  call<ompt_callback_parallel_end_t>(
      ompt_callback_parallel_end, &parallel, &task,
      static_cast<int>(ompt_parallel_invoker_runtime), nullptr);
  EXPECT_EQ(&parallel, parallel.ptr);
}

void FakeOpenMp::implicit_begin(Data* parallel, Data& task, unsigned index,
                                int flags, unsigned size) {
  call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task,
                                      ompt_scope_begin, parallel, &task, size,
                                      index, flags);
}

void FakeOpenMp::implicit_end(Data& task, unsigned index, int flags) {
  call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task,
                                      ompt_scope_end, nullptr, &task, 0u, index,
                                      flags);
}

void FakeOpenMp::task_create(Data& parent, Data& task, int flags,
                             const void* code) {
  call<ompt_callback_task_create_t>(ompt_callback_task_create, &parent, nullptr,
                                    &task, flags, 0, code);
}

void FakeOpenMp::dependences(Data& task,
                             const std::vector<std::pair<int, uint64_t>>& of) {
  std::vector<ompt_dependence_t> list(of.size());
  for (size_t i = 0; i < of.size(); ++i) {
    list[i].dependence_type = static_cast<ompt_dependence_type_t>(of[i].first);
    list[i].variable.value = of[i].second;
  }
  call<ompt_callback_dependences_t>(ompt_callback_dependences, &task,
                                    list.data(), static_cast<int>(list.size()));
}

void FakeOpenMp::schedule(Data* prior, int status, Data* next) {
  call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, prior,
                                      static_cast<ompt_task_status_t>(status),
                                      next);
}

void FakeOpenMp::sync(int kind, int endpoint, Data* parallel, Data& task,
                      const void* code) {
  call<ompt_callback_sync_region_t>(
      ompt_callback_sync_region, static_cast<ompt_sync_region_t>(kind),
      static_cast<ompt_scope_endpoint_t>(endpoint), parallel, &task, code);
}

void FakeOpenMp::sync_wait(int kind, int endpoint, Data* parallel, Data& task,
                           const void* code) {
  call<ompt_callback_sync_region_t>(
      ompt_callback_sync_region_wait, static_cast<ompt_sync_region_t>(kind),
      static_cast<ompt_scope_endpoint_t>(endpoint), parallel, &task, code);
}

void FakeOpenMp::reduction(int endpoint, Data* parallel, Data& task) {
  call<ompt_callback_sync_region_t>(
      ompt_callback_reduction, ompt_sync_region_reduction,
      static_cast<ompt_scope_endpoint_t>(endpoint), parallel, &task, nullptr);
}

void FakeOpenMp::work(int kind, int endpoint, Data* parallel, Data& task,
                      uint64_t count, const void* code) {
  // As the entries of `single` do.
  if (kind == ompt_work_single_executor) ompt::want_singles();
  call<ompt_callback_work_t>(ompt_callback_work, static_cast<ompt_work_t>(kind),
                             static_cast<ompt_scope_endpoint_t>(endpoint),
                             parallel, &task, count, code);
}

void FakeOpenMp::masked(int endpoint, Data* parallel, Data& task) {
  call<ompt_callback_masked_t>(ompt_callback_masked,
                               static_cast<ompt_scope_endpoint_t>(endpoint),
                               parallel, &task, nullptr);
}

void FakeOpenMp::acquire(ompt_mutex_t kind, uint64_t lock, const void* code) {
  call<ompt_callback_mutex_acquire_t>(ompt_callback_mutex_acquire, kind, 0u, 0u,
                                      lock, code);
}

void FakeOpenMp::acquired(ompt_mutex_t kind, uint64_t lock, const void* code) {
  call<ompt_callback_mutex_t>(ompt_callback_mutex_acquired, kind, lock, code);
}

void FakeOpenMp::released(ompt_mutex_t kind, uint64_t lock) {
  call<ompt_callback_mutex_t>(ompt_callback_mutex_released, kind, lock,
                              nullptr);
}

void FakeOpenMp::nest_lock(int endpoint, uint64_t lock) {
  call<ompt_callback_nest_lock_t>(ompt_callback_nest_lock,
                                  static_cast<ompt_scope_endpoint_t>(endpoint),
                                  lock, nullptr);
}

void FakeOpenMp::lock_init(uint64_t lock, const void* code) {
  call<ompt_callback_mutex_acquire_t>(ompt_callback_lock_init, ompt_mutex_lock,
                                      0u, 0u, lock, code);
}

void FakeOpenMp::lock_destroy(uint64_t lock) {
  call<ompt_callback_mutex_t>(ompt_callback_lock_destroy, ompt_mutex_lock, lock,
                              nullptr);
}

void FakeOpenMp::device_initialize(int device, const char* type) {
  call<ompt_callback_device_initialize_t>(
      ompt_callback_device_initialize, device, type, nullptr, nullptr, nullptr);
}

void FakeOpenMp::target(int endpoint, Data& region, Data* encountering,
                        int device, Data* target_task) {
  call<ompt_callback_target_emi_t>(ompt_callback_target_emi, ompt_target,
                                   static_cast<ompt_scope_endpoint_t>(endpoint),
                                   device, encountering, target_task, &region,
                                   nullptr);
}

void FakeOpenMp::data_op(int endpoint, Data* region, int operation,
                         int device) {
  // As the runtime numbers the host where there are three devices.
  constexpr int kHost = 3;
  static ompt_id_t host_operation;
  const bool is_from = operation == ompt_target_data_transfer_from_device;
  call<ompt_callback_target_data_op_emi_t>(
      ompt_callback_target_data_op_emi,
      static_cast<ompt_scope_endpoint_t>(endpoint), nullptr, region,
      &host_operation, static_cast<ompt_target_data_op_t>(operation), nullptr,
      is_from ? device : kHost, nullptr, is_from ? kHost : device, size_t{8},
      nullptr);
}

void FakeOpenMp::submit(int endpoint, Data* region) {
  static ompt_id_t host_operation;
  call<ompt_callback_target_submit_emi_t>(
      ompt_callback_target_submit_emi,
      static_cast<ompt_scope_endpoint_t>(endpoint), region, &host_operation,
      1u);
}

void FakeOpenMp::control_tool(uint64_t command) {
  call<ompt_callback_control_tool_t>(ompt_callback_control_tool, command,
                                     uint64_t{0}, nullptr, nullptr);
}

void FakeOpenMp::fork(int64_t now_ns, Data& encountering, Data& parallel,
                      Data& primary, Data& worker, const void* code) {
  at(0, now_ns).parallel_begin(encountering, parallel, code);
  at(0, now_ns).implicit_begin(&parallel, primary, 0);
  at(1, now_ns).implicit_begin(&parallel, worker, 1);
}
void FakeOpenMp::fork_new(int64_t now_ns, Data& encountering, Data& parallel,
                          Data& primary, Data& worker, const void* code) {
  at(0, now_ns).parallel_begin(encountering, parallel, code);
  at(0, now_ns).implicit_begin(&parallel, primary, 0);
  at(1, now_ns).thread_begin(ompt_thread_worker);
  at(1, now_ns).implicit_begin(&parallel, worker, 1);
}
void FakeOpenMp::join_begin(Data& parallel, Data& task) {
  sync(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, &parallel,
       task);
}

void FakeOpenMp::worker_late_end(Data& task, unsigned index) {
  sync(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, nullptr,
       task);
  implicit_end(task, index);
}

void FakeOpenMp::primary_end(Data& parallel, Data& task, Data& encountering) {
  sync(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, nullptr,
       task);
  implicit_end(task, 0);
  parallel_end(parallel, encountering);
}

JobTotals FakeOpenMp::job(int64_t now_ns) const {
  JobTotals job = measured_process().totals(now_ns, "host");
  EXPECT_EQ(0, job.quality.closure_error_ns);
  if (call_sites_wanted()) expect_constructs_add_up(job);
  return job;
}

RegionTotals FakeOpenMp::totals(int64_t now_ns, const std::string& name) const {
  for (const RegionTotals& region : job(now_ns).regions) {
    if (region.name != name) continue;
    EXPECT_LE(region.useful_max_ns, region.pl_cue_ns);
    EXPECT_LE(region.pl_cue_ns, region.cue_ns);
    EXPECT_LE(region.cue_ns, region.coo_ns);
    EXPECT_LE(region.coo_ns, region.all_ns);
    EXPECT_LE(region.cue_ns, region.com_ns);
    EXPECT_LE(region.com_ns, region.comp_ns);
    EXPECT_LE(region.comp_ns, region.all_ns);
    return region;
  }
  ADD_FAILURE() << "no region " << name;
  return {};
}

}  // namespace poprt
