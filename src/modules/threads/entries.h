// The entries that stand in front of the C library's functions for threads.
#ifndef POPRT_MODULES_THREADS_ENTRIES_H_
#define POPRT_MODULES_THREADS_ENTRIES_H_

#include <cstdint>
#include <vector>

#include "base/entry_slots.h"
#include "measure/thread.h"

namespace poprt::modules::threads {

// pthread_create(), pthread_join(), thrd_create(), ...
std::vector<Entry> life_entries();
// Mutexes and read-write locks.
std::vector<Entry> mutex_entries();
// Conditions, barriers, semaphores.
std::vector<Entry> signal_entries();
// Futexes.
std::vector<Entry> system_entries();

// siglongjmp() and its like.
std::vector<Entry> jump_entries();

// Whether the system will tell of the end of threads.  To be called once,
// before the first one is created.
bool prepare_ends();
// How many threads were not measured because there were too many.
int64_t refused_threads();

// What threads.cc does for the entries.
//
// The thread that creates another one, if that is measured; starts measurement
// where a thread does that.
Thread* creating_thread();
// Whether MPI, an OpenMP runtime or the system creates a thread that begins
// with this function.
bool is_of_runtime(const void* run, const void* argument);
// Puts the entries in front of the functions in objects that were loaded since
// the last time; false if there are none, or after the end of measurement.
bool reach_new_objects();

}  // namespace poprt::modules::threads

#endif  // POPRT_MODULES_THREADS_ENTRIES_H_
