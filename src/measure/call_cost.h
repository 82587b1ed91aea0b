// The time that a measured call takes outside of its two time stamps: before
// the first one and after the last one, some 20 ns.  In a loop of short calls
// (MPI_Test) it would be a large part of what looks like useful time.  So the
// stamp that ends useful time is that much earlier, but never before the
// thread's last event: no time is negative, and all times add up.
#ifndef POPRT_MEASURE_CALL_COST_H_
#define POPRT_MEASURE_CALL_COST_H_

#include <cstdint>

namespace poprt {
class CounterSource;
}

namespace poprt {

// 0 until it is measured, and in tests, which pass the time as an argument.
inline constinit int64_t g_call_outside_ns = 0;

// The time of an event: a time stamp and a transition.  Also 0 until measured.
inline constinit int64_t g_event_ps = 0;

// A call's way in and out without any time stamp.  Also 0 until measured.
inline constinit int64_t g_call_way_ps = 0;

// What it takes to merge the clocks of one region from a message.  0 until
// measured.
inline constinit int64_t g_merge_ns = 0;

// Measures them all, once, before the first event; takes about 60 us, with
// counters as long as reading them 1,600 times.  Takes a low quantile rather
// than a mean, so that times in which the process lost its core do not count.
//
// With counters an event reads them, which is in the first two; and
// `outside_counts` gets what each of them counts outside of the two events of a
// call.  Null: there are none.
void measure_call_cost(CounterSource* counters = nullptr,
                       int64_t* outside_counts = nullptr);

}  // namespace poprt

#endif  // POPRT_MEASURE_CALL_COST_H_
