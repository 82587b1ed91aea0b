// Tasks, and what waits for them.
#include <dlfcn.h>

#include <map>
#include <mutex>
#include <utility>

#include "openmp_interpreter.h"

namespace chaos {
namespace {

// Two numbers for each dependence: its type, and which cell.
struct Dependences {
  Dependences(const std::vector<int>& args, size_t first) {
    for (size_t i = first; i < args.size(); i += 2) {
      of[args[i]].push_back(&cells[args[i + 1]]);
    }
  }
  int count(int type) const { return static_cast<int>(of[type].size()); }
  static char cells[8];
  std::vector<char*> of[4];  // in, inout, mutexinoutset, inoutset
};
char Dependences::cells[8];

#define DEPENDENCES(d)                                                       \
  depend(iterator(i = 0                                                      \
                  : d.count(0)),                                             \
         in                                                                  \
         : *d.of[0][i]) depend(iterator(i = 0                                \
                                        : d.count(1)),                       \
                               inout                                         \
                               : *d.of[1][i]) depend(iterator(i = 0          \
                                                              : d.count(2)), \
                                                     mutexinoutset           \
                                                     : *d.of[2][i])          \
      depend(iterator(i = 0                                                  \
                      : d.count(3)),                                         \
             inoutset                                                        \
             : *d.of[3][i])

Place new_task(const Op& op, const Place& parent) {
  Place place = parent;
  place.task = new_id();
  turn(kOmp, 'C', place.task, parent.task, place.team, place.barriers,
       place.group, op.line);
  return place;
}

void run_task(const Op& op, Place place) {
  const State before = turn(kUseful, 'S', place.task);
  execute(op.body, place);
  turn(before, 'E', place.task);
}

}  // namespace

void task(const Op& op, const Place& parent) {
  enum { kTied, kUndeferred, kFinal };
  const int kind = op.args[0];
  const Op* const what = &op;
  const Place place = new_task(op, parent);
  if (op.args.size() > 1) {
    const Dependences d(op.args, 1);
#define TASK task if (kind != kUndeferred) final(kind == kFinal)
#pragma omp TASK firstprivate(what, place) DEPENDENCES(d)
    run_task(*what, place);
  } else {
#pragma omp TASK firstprivate(what, place)
    run_task(*what, place);
  }
  turn(kUseful);
}

namespace {

// A task that is suspended after each of its operations. Its state is not in
// local variables, because another thread may resume it.
struct Untied {
  const Op& op;
  Place place;
  size_t done = 0;
  State before = kOmp;
};

// Clang's untied tasks have an empty first part, which only queues the second
// part. A thread that executes the first part has begun the task, and another
// thread may continue it. Only the call that queues the second part shows this.
thread_local int g_queueing = 0;  // the untied task to be created
std::mutex g_unbegun_mutex;
std::map<const void*, int> g_unbegun;  // by the runtime's pointer

void note_queued(const void* task) {
  const std::lock_guard<std::mutex> guard(g_unbegun_mutex);
  if (g_queueing != 0) {
    g_unbegun[task] = std::exchange(g_queueing, 0);
  } else if (const auto found = g_unbegun.find(task);
             found != g_unbegun.end()) {
    turn(this_thread().state, 'Q', found->second);
    g_unbegun.erase(found);
  }
}

void fulfil(omp_event_handle_t event, int task) {
  turn(kUseful, 'X', task);
  omp_fulfill_event(event);
}

void run_empty_task(int id) {
  const State before = turn(kUseful, 'S', id);
  turn(before, 'E', id);
}

}  // namespace

void untied_task(const Op& op, const Place& parent) {
  Untied* const task = new Untied{op, new_task(op, parent)};
  g_queueing = task->place.task;
#pragma omp task untied firstprivate(task)
  {
    task->before = turn(kUseful, 'S', task->place.task);
    while (task->done < task->op.body.size()) {
      execute(task->op.body[task->done++], task->place);
      // An untied task may change its thread when it creates a task. In a
      // taskyield it could do so, too, but would first wait for the tasks that
      // it executes there.
      {
        const int empty = new_task(task->op, task->place).task;
        turn(task->before, 'Y', task->place.task);
#pragma omp task firstprivate(empty)
        run_empty_task(empty);
      }
      task->before = turn(kUseful, 'Z', task->place.task);
    }
    turn(task->before, 'E', task->place.task);
    delete task;
  }
  turn(kUseful);
}

void detached_task(const Op& op, const Place& parent) {
  enum { kByCreator, kByTask, kByItself };
  const int by = op.args[0], us = op.args[1];
  const Op* const what = &op;
  const Place place = new_task(op, parent);
  const int id = place.task;
  omp_event_handle_t event{};
#pragma omp task firstprivate(what, place, by) detach(event)
  {
    if (by == kByItself) {
      const State before = turn(kUseful, 'S', place.task);
      fulfil(event, place.task);
      Place inner = place;
      execute(what->body, inner);
      turn(before, 'E', place.task);
    } else {
      run_task(*what, place);
    }
  }
  turn(kUseful);
  if (by == kByCreator) {
    nap(us);
    fulfil(event, id);
  } else if (by == kByTask) {
    const Place helper = new_task(op, parent);
#pragma omp task firstprivate(event, helper, us, id)
    {
      const State before = turn(kUseful, 'S', helper.task);
      nap(us);
      fulfil(event, id);
      turn(before, 'E', helper.task);
    }
    turn(kUseful);
  }
}

void taskwait(const Op& op, const Place& place) {
  turn(kOmp);
  if (op.args.empty()) {
#pragma omp taskwait
    turn(kUseful, 'w', place.task);
  } else {
    const Dependences d(op.args, 0);
    // A taskwait has no mutexinoutset.
#pragma omp taskwait depend(iterator(i = 0                                \
                                     : d.count(0)),                       \
                            in                                            \
                            : *d.of[0][i]) depend(iterator(i = 0          \
                                                           : d.count(1)), \
                                                  inout                   \
                                                  : *d.of[1][i])
    turn(kUseful, 'v', place.task, 0, 0, 0, 0, op.line);
  }
}

void taskgroup(const Op& op, Place& place) {
  const int outer = place.group;
  const int group = place.group = new_id();
  turn(kUseful, 'N', group, outer);
#pragma omp taskgroup
  {
    execute(op.body, place);
    turn(kOmp);
  }
  turn(kUseful, 'g', group);
  place.group = outer;
}

void taskyield() {
  turn(kOmp);
#pragma omp taskyield
  turn(kUseful);
}

}  // namespace chaos

extern "C" int __kmpc_omp_task(void* where, int thread, void* task);
extern "C" int __kmpc_omp_task(void* where, int thread, void* task) {
  static const auto real = reinterpret_cast<int (*)(void*, int, void*)>(
      dlsym(RTLD_NEXT, "__kmpc_omp_task"));
  chaos::note_queued(task);
  return real(where, thread, task);
}
