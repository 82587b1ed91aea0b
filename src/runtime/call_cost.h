// What a call that the library measures takes outside of its two stamps: the
// end of the call behind its last stamp, and the beginning of the next call
// before its first one.  In a loop of short calls (MPI_Test) that would be a
// large part of what looks like the program's work.
#ifndef POPRT_RUNTIME_CALL_COST_H_
#define POPRT_RUNTIME_CALL_COST_H_

#include <cstdint>

namespace poprt::call_cost {

// 0 until measured, and in tests, whose time is an argument.
inline constinit int64_t g_outside_ns = 0;

// What an event (a stamp and a transition) takes, likewise.
inline constinit int64_t g_event_ps = 0;

// Measures both; takes some 50 us.  Once, before the first event.  Neither is
// a mean: what the process loses its core for is in none of them.
void measure();

}  // namespace poprt::call_cost

#endif  // POPRT_RUNTIME_CALL_COST_H_
