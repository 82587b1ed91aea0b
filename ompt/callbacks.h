// The callbacks for OMPT events.  Each callback takes a time stamp, finds the
// objects behind OMPT's data pointers and calls the function of tasking.h,
// locks.h or doacross.h for the event.
//
// A task's data pointer is set when the task is created or begins, and cleared
// when it ends.  That of a parallel region is set when it begins, and read when
// a member begins; at its end it is the runtime's, which may have given the
// team away: the thread knows which regions it has begun (ending_team()).  A
// null pointer means that the task or region began before measurement, or that
// the task has ended.  Outside measurement a callback returns at once, and
// measurement never starts twice, so no pointer can be stale.
//
// With more than a few regions (kFewRegions) the time from the first stamp of a
// callback to its end is OpenMP's: the tool's own work is no useful time.  With
// fewer it is shorter than a second stamp, and counts with the state that
// follows.
#ifndef POPRT_OMPT_CALLBACKS_H_
#define POPRT_OMPT_CALLBACKS_H_

#include <omp-tools.h>

#include <vector>

#include "openmp/locks.h"

namespace poprt::ompt {

// A callback for ompt_set_callback(), and the name of its event.
struct Registration {
  ompt_callbacks_t event;
  ompt_callback_t function;
  const char* name;
};

// Type is the callback type that omp-tools.h defines for the event.  A function
// with another signature does not compile.
template <class Type>
Registration callback(ompt_callbacks_t event, Type function, const char* name) {
  return {event, reinterpret_cast<ompt_callback_t>(function), name};
}

// Threads, parallel regions, implicit tasks, barriers and other waits.
std::vector<Registration> team_callbacks();
// The bodies of `single` and `masked`.
Registration single_callback();
Registration masked_callback();
// The wait of a task group.
Registration group_wait_callback();
// Explicit tasks and dependences.
std::vector<Registration> task_callbacks();
// `target` constructs are in target_callbacks.h.
// omp_control_tool() and the destruction of locks.
std::vector<Registration> lock_callbacks();
// Locks, critical, ordered and atomic regions.
std::vector<Registration> mutex_callbacks();

// The object for the lock that the runtime calls `wait_id`, or for the loop
// that the calling thread is in: all ordered loops of a team have one name.
// Null as in openmp/locks.h.
Lock* lock_or_turns(ompt_mutex_t kind, ompt_wait_id_t wait_id);

// The events of mutual exclusion are on at the start.  They are switched off
// when a program that has used no `critical` or `ordered` construct takes a
// lock through the entries of lock_calls.cc, because locks are then measured
// there, and on again by the first such construct.
//
// Whether such a construct has switched them on.
bool wants_mutex_events();
void want_mutex_events();
void locks_have_entries();

// The runtime reports the waits of task groups by an event that also comes
// twice in each barrier.  So it is off until the first task group begins.
void want_group_waits();

// The runtime reports the bodies of `single` by an event that also comes twice
// in each loop.  So it is off until a thread comes to the first `single`, if
// that calls the entries of single_callbacks.cc.
void want_singles();
// It does not if the OpenMP runtime itself has loaded this library.
bool singles_come_here();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_CALLBACKS_H_
