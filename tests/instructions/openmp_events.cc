// What an OpenMP runtime tells a team of two, as LLVM 19 does. run.py counts
// within the callbacks only.
#include "instructions/counting.h"
#include "layer/fake_openmp.h"
#include "measure/process.h"

namespace {

using poprt::Data;
using poprt::FakeOpenMp;
using poprt::counting::count;

FakeOpenMp* g_omp = nullptr;
int64_t g_now_ns = 0;

// The next calls come from this thread, a little later.
FakeOpenMp& at(int thread) { return g_omp->at(thread, g_now_ns += 10); }

void barrier(int kind, Data& region, Data (&tasks)[2]) {
  for (int i : {1, 0}) at(i).sync(kind, ompt_scope_begin, &region, tasks[i]);
  for (int i : {0, 1}) at(i).sync(kind, ompt_scope_end, &region, tasks[i]);
}

void begin_team(Data& region, Data (&tasks)[2]) {
  at(0).parallel_begin(g_omp->initial, region);
  for (unsigned i : {0u, 1u}) {
    at(static_cast<int>(i)).implicit_begin(&region, tasks[i], i);
  }
}

void end_team(Data& region, Data (&tasks)[2]) {
  for (int i : {1, 0}) at(i).join_begin(region, tasks[i]);
  at(0).primary_end(region, tasks[0], g_omp->initial);
  at(1).worker_late_end(tasks[1], 1);
}

void run_task(Data& parent, bool depends) {
  Data task{};
  at(0).task_create(parent, task);
  if (depends) at(0).dependences(task, {{ompt_dependence_type_inout, 64}});
  at(0).schedule(&parent, ompt_task_switch, &task);
  at(0).schedule(&task, ompt_task_complete, &parent);
}

void critical(int thread) {
  at(thread).acquire(ompt_mutex_critical, 64);
  at(thread).acquired(ompt_mutex_critical, 64);
  at(thread).released(ompt_mutex_critical, 64);
}

void count_team() {
  Data region{}, tasks[2]{};
  begin_team(region, tasks);
  count("barrier",
        [&]() { barrier(ompt_sync_region_barrier_explicit, region, tasks); });
  count("task", [&]() { run_task(tasks[0], false); });
  count("task with a dependence", [&]() { run_task(tasks[0], true); });
  count("critical of each", []() {
    for (int i : {0, 1}) critical(i);
  });
  end_team(region, tasks);
}

}  // namespace

int main() {
  poprt::counting::say_build();
  FakeOpenMp omp;
  g_omp = &omp;
  at(1).thread_begin(ompt_thread_worker);
  poprt::measured_process().region_start(*omp.thread(0), "bench");
  count("parallel", []() {
    Data region{}, tasks[2]{};
    begin_team(region, tasks);
    end_team(region, tasks);
  });
  count_team();
}
