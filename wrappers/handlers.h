// What a wrapped call does besides the MPI call: one function template for each
// kind of call.  The generated entries (mpi_calls.txt) pass a lambda that makes
// the PMPI call; it takes the status to fill if there is one.
//
// The order is always: time stamp, send clocks (they travel before the
// program's message), the program's call, take clocks that have arrived, time
// stamp.  Traffic of the tool that may wait for other processes comes after the
// program's call, and only if that succeeded: a call that MPI refuses on one
// process concerns no other process.
#ifndef POPRT_WRAPPERS_HANDLERS_H_
#define POPRT_WRAPPERS_HANDLERS_H_

#include "model/quantities.h"
#include "wrappers/collective_handlers.h"
#include "wrappers/comm_handlers.h"
#include "wrappers/completion.h"
#include "wrappers/message_handlers.h"
#include "wrappers/partitioned_handlers.h"
#include "wrappers/request_handlers.h"
#include "wrappers/spawn.h"
#include "wrappers/window_handlers.h"

namespace poprt::mpi {

// A call that carries no clocks: only its time counts.
template <class Call>
int timed(Call call) {
  const CallScope scope;
  return call();
}

// The time of an MPI call also counts as a quantity.
class TimedCall {
 public:
  TimedCall() = default;
  ~TimedCall() {
    if (thread_ != nullptr) thread_->stop_timing();
  }
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;

  void begin(Thread& thread, const Quantity& quantity) {
    const int account = thread.process().account_of(quantity);
    if (account == kNoAccount) return;
    thread_ = &thread;
    thread.start_timing(account);
  }

 private:
  Thread* thread_ = nullptr;
};

// A call of MPI-IO.  `moved(thread)` adds what it moved if it succeeded.
template <class Moved, class Call>
int io_call(Moved moved, Call call) {
  TimedCall timed;  // ends after the scope
  const CallScope scope;
  if (scope.thread() == nullptr) return call();
  Thread& thread = scope.thread()->thread;
  timed.begin(thread, kMpiIo);
  const int result = call();
  thread.add_amount(kMpiIoCalls, 1);
  if (result == MPI_SUCCESS) moved(thread);
  return result;
}

// The size of so many items; 0 if MPI does not know it.
inline int64_t bytes_of(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  int64_t bytes = 0;
  if (count <= 0 || pmpi().Type_size_x(type, &size) != MPI_SUCCESS ||
      size <= 0 || __builtin_mul_overflow(count, size, &bytes)) {
    return 0;
  }
  return bytes;
}

// A call that moves no data, or ends one that does.
template <class Call>
int io(Call call) {
  return io_call([](Thread&) {}, call);
}

template <class Call>
int io_read(MPI_Count count, MPI_Datatype type, Call call) {
  return io_call(
      [=](Thread& thread) {
        thread.add_amount(kMpiIoRead, bytes_of(count, type));
      },
      call);
}

template <class Call>
int io_write(MPI_Count count, MPI_Datatype type, Call call) {
  return io_call(
      [=](Thread& thread) {
        thread.add_amount(kMpiIoWritten, bytes_of(count, type));
      },
      call);
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_HANDLERS_H_
