// Bodies that one thread of a team executes for all: `single` and `masked`.
#include <dlfcn.h>

#include "ompt/callbacks.h"
#include "ompt/event.h"
#include "ompt/handover.h"
#include "ompt/real_function.h"
#include "openmp/tasking.h"

namespace poprt::ompt {
namespace {

void at_body(ompt_scope_endpoint_t endpoint, ompt_data_t* task) {
  const Handover of_task(task);
  if (task == nullptr) return;
  const Event event;
  if (!event) return;
  Task* const current = current_task(event, task);
  if (endpoint == ompt_scope_begin) {
    single_begin(event.thread(), current, event.now_ns());
  } else {
    single_end(event.thread(), current, event.now_ns());
  }
}

void on_work(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t*,
             ompt_data_t* task, uint64_t, const void*) {
  if (work != ompt_work_single_executor) return;
  at_body(endpoint, task);
}

void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
               const void*) {
  at_body(endpoint, task);
}

}  // namespace

Registration single_callback() {
  return callback<ompt_callback_work_t>(ompt_callback_work, on_work, "work");
}

Registration masked_callback() {
  return callback<ompt_callback_masked_t>(ompt_callback_masked, on_masked,
                                          "masked");
}

}  // namespace poprt::ompt

// Each thread that comes to a `single` calls one of these, in programs built by
// GCC the last two.
#define POPRT_SINGLE_ENTRY(result, name, parameters, arguments)              \
  extern "C" __attribute__((visibility("default"))) result name parameters { \
    using Function = result parameters;                                      \
    Function* const function = POPRT_REAL(Function, #name);                  \
    poprt::ompt::want_singles();                                             \
    return function arguments;                                               \
  }
POPRT_SINGLE_ENTRY(int32_t, __kmpc_single, (void* where, int32_t thread),
                   (where, thread))
POPRT_SINGLE_ENTRY(bool, GOMP_single_start, (), ())
POPRT_SINGLE_ENTRY(void*, GOMP_single_copy_start, (), ())

bool poprt::ompt::singles_come_here() {
  return dlsym(RTLD_DEFAULT, "__kmpc_single") ==
         reinterpret_cast<void*>(&__kmpc_single);
}
