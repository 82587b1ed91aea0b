// CounterReadings: what the counters of one thread have counted in useful time.
//
// They are read at each event of the thread.  What was counted since the event
// before belongs to the state that ends: it is useful or it is dropped.
#ifndef POPRT_MEASURE_COUNTER_READINGS_H_
#define POPRT_MEASURE_COUNTER_READINGS_H_

#include <cstdint>

#include "measure/counters.h"

namespace poprt {

// Of a process: its counters, and their accounts (Process::account_of()).
struct Counting {
  CounterSource* source = nullptr;
  // The first account has the useful time in which the counters ran, the
  // others follow in the order of the source.
  int first_account = 0;
  // What a call counts outside of its two events, which is the tool's work and
  // not the program's (call_cost.h).
  int64_t outside[CounterSource::kMost] = {};

  int last_account() const { return first_account + 1 + source->size(); }
};

// The difference of two readings of a counter.  A counter that has reached its
// largest value of 32 or 48 bits goes on from 0.  -1: the counter has gone back
// for no such reason.
int64_t counted_between(int64_t before, int64_t after);

// Used by its thread only.
class CounterReadings {
 public:
  // Starts the counters of the calling thread.
  explicit CounterReadings(const Counting& counting);
  CounterReadings(const CounterReadings&) = delete;
  CounterReadings& operator=(const CounterReadings&) = delete;

  // Whether the counters run.
  bool runs() const { return counters_ != nullptr; }
  // Reads them.  If `useful`, what they have counted in the last `ns` is in
  // counted() until the next call, and the result is true.
  bool read(bool useful, int64_t ns);
  // Stops them.  The thread counts nothing from now on.
  void stop();

  // The accounts are from first() to before last().
  int first() const { return counting_.first_account; }
  int last() const { return counting_.last_account(); }
  // 0 for an account that is no counter's.
  int64_t counted(int account) const {
    return account < first() || account >= last() ? 0
                                                  : counted_[account - first()];
  }
  // The part of it in the `inside_ns` that began `begin_ns` after these `ns`
  // did: counters do not say when they count, so it is taken to be even.  Parts
  // that follow each other without a gap add up to all of it.
  int64_t inside(int account, int64_t begin_ns, int64_t inside_ns) const;

  // Readings that failed, or in which a counter went back.
  int64_t faults() const { return faults_; }

 private:
  const Counting& counting_;
  void* counters_;
  int64_t before_[CounterSource::kMost] = {};
  int64_t counted_[1 + CounterSource::kMost] = {};
  int64_t faults_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_COUNTER_READINGS_H_
