// The OMPT events that this tool listens to, as LLVM's runtime delivers them:
// each callback stamps the event, finds the objects that hang on OMPT's data
// pointers and calls what tasking.h has for it.
//
// A task's pointer is set at its creation (or begin) and cleared at its end, a
// parallel region's likewise; one that is null belongs to something that began
// before measurement did, or has ended.  Outside measurement a callback returns
// at once, and measurement never starts twice: no pointer is ever stale.
//
// Time goes to the runtime from the first stamp of a callback to its end: the
// tool's own work is never useful time.
#ifndef POPRT_OMPT_CALLBACKS_H_
#define POPRT_OMPT_CALLBACKS_H_

#include <omp-tools.h>

#include <vector>

namespace poprt::ompt {

// A callback for ompt_set_callback(), and the name of what it reports.
struct Registration {
  ompt_callbacks_t event;
  ompt_callback_t function;
  const char* name;
};

// Type is the signature that omp-tools.h gives the event: a callback that does
// not have it does not compile.
template <class Type>
Registration callback(ompt_callbacks_t event, Type function, const char* name) {
  return {event, reinterpret_cast<ompt_callback_t>(function), name};
}

// Threads, parallel regions, implicit tasks, barriers and other waits.
std::vector<Registration> team_callbacks();
// Explicit tasks and dependences.
std::vector<Registration> task_callbacks();
// omp_control_tool(), and the end of locks.
std::vector<Registration> lock_callbacks();
// Mutual exclusion of every kind.
std::vector<Registration> mutex_callbacks();

// Whether the runtime reports mutual exclusion.  It does from the start, until
// a program uses locks that have entries here (lock_calls.cc) and nothing else
// of the kind.
bool wants_mutex_events();
void want_mutex_events();
void locks_have_entries();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_CALLBACKS_H_
