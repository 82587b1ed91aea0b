/* What no OMPT tool can be faster than: it registers the callbacks that poprt
 * registers, and does nothing in them. scripts/bench --floor preloads it. */
#include <omp-tools.h>
#include <stddef.h>

static void on_thread_begin(ompt_thread_t type, ompt_data_t* thread) {
  (void)type, (void)thread;
}
static void on_thread_end(ompt_data_t* thread) { (void)thread; }
static void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame,
                              ompt_data_t* parallel, unsigned int threads,
                              int flags, const void* place) {
  (void)task, (void)frame, (void)parallel, (void)threads, (void)flags,
      (void)place;
}
static void on_parallel_end(ompt_data_t* parallel, ompt_data_t* task, int flags,
                            const void* place) {
  (void)parallel, (void)task, (void)flags, (void)place;
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint,
                             ompt_data_t* parallel, ompt_data_t* task,
                             unsigned int threads, unsigned int index,
                             int flags) {
  (void)endpoint, (void)parallel, (void)task, (void)threads, (void)index,
      (void)flags;
}
static void on_sync_region(ompt_sync_region_t kind,
                           ompt_scope_endpoint_t endpoint,
                           ompt_data_t* parallel, ompt_data_t* task,
                           const void* place) {
  (void)kind, (void)endpoint, (void)parallel, (void)task, (void)place;
}
static void on_task_create(ompt_data_t* parent, const ompt_frame_t* frame,
                           ompt_data_t* task, int flags, int has_dependences,
                           const void* place) {
  (void)parent, (void)frame, (void)task, (void)flags, (void)has_dependences,
      (void)place;
}
static void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status,
                             ompt_data_t* next) {
  (void)prior, (void)status, (void)next;
}
static void on_dependences(ompt_data_t* task, const ompt_dependence_t* list,
                           int count) {
  (void)task, (void)list, (void)count;
}
static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint,
                             unsigned int implementation, ompt_wait_id_t lock,
                             const void* place) {
  (void)kind, (void)hint, (void)implementation, (void)lock, (void)place;
}
static void on_mutex(ompt_mutex_t kind, ompt_wait_id_t lock,
                     const void* place) {
  (void)kind, (void)lock, (void)place;
}
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t lock,
                         const void* place) {
  (void)endpoint, (void)lock, (void)place;
}

static int initialize(ompt_function_lookup_t lookup, int device,
                      ompt_data_t* tool) {
  (void)device, (void)tool;
  const ompt_set_callback_t set_callback =
      (ompt_set_callback_t)lookup("ompt_set_callback");
#define REGISTER(event, function) \
  set_callback(ompt_callback_##event, (ompt_callback_t)(function))
  REGISTER(thread_begin, on_thread_begin);
  REGISTER(thread_end, on_thread_end);
  REGISTER(parallel_begin, on_parallel_begin);
  REGISTER(parallel_end, on_parallel_end);
  REGISTER(implicit_task, on_implicit_task);
  REGISTER(sync_region, on_sync_region);
  REGISTER(task_create, on_task_create);
  REGISTER(task_schedule, on_task_schedule);
  REGISTER(dependences, on_dependences);
  REGISTER(mutex_acquire, on_mutex_acquire);
  REGISTER(mutex_acquired, on_mutex);
  REGISTER(mutex_released, on_mutex);
  REGISTER(nest_lock, on_nest_lock);
  REGISTER(lock_destroy, on_mutex);
  return 1;
}

static void finalize(ompt_data_t* tool) { (void)tool; }

ompt_start_tool_result_t* ompt_start_tool(unsigned int version,
                                          const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
