// Bodies that one thread of a team executes for all: `single` and `masked`.
#include "ompt/callbacks.h"
#include "ompt/event.h"
#include "ompt/handover.h"
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

std::vector<Registration> single_callbacks() {
  return {
      callback<ompt_callback_work_t>(ompt_callback_work, on_work, "work"),
      callback<ompt_callback_masked_t>(ompt_callback_masked, on_masked,
                                       "masked"),
  };
}

}  // namespace poprt::ompt
