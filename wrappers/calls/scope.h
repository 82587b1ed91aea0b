// CallScope: one MPI call of the program, from entry to return.
//
// Only the outermost call of a thread is measured: calls that an MPI library
// makes to its own MPI_ names, and the tool's own traffic, pass through.
// Outside of MPI_Init ... MPI_Finalize nothing is measured.
#ifndef POPRT_WRAPPERS_CALLS_SCOPE_H_
#define POPRT_WRAPPERS_CALLS_SCOPE_H_

#include "base/left_frame.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// The end of a call in which clocks have arrived.
void leave_with_clocks(MpiThread& thread);

// The program has left an MPI call by siglongjmp(): cleans up after it.
void forget_call(MpiThread& thread);

class CallScope {
 public:
  [[gnu::always_inline]] CallScope()
      // The stack frame of the entry.  A call that is left by siglongjmp() is
      // known by its frame.
      : thread_(
            enter(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)))) {}
  ~CallScope() {
    if (thread_ != nullptr) leave();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // Null if the call is not measured.
  MpiThread* thread() const { return thread_; }

 private:
  static MpiThread* enter(uintptr_t frame) {
    if (!g_active.load(std::memory_order_relaxed)) return nullptr;
    const int64_t now = leave_ns();
    Thread* const thread = t_thread;
    MpiThread* mpi = thread == nullptr ? nullptr : mpi_thread(*thread);
    if (mpi == nullptr) [[unlikely]]
      mpi = new_mpi_thread();
    if (mpi->thread.mpi_depth > 0) {
      if (!is_left(mpi->call.frame, frame, 0)) return nullptr;
      forget_call(*mpi);
    } else {
      mpi->call.before = mpi->thread.state();
    }
    mpi->thread.mpi_depth = 1;
    mpi->call.frame = frame;
    mpi->thread.begin_stretch(State::kMpi, now);
    mpi->thread.entered_mpi();
    mpi->waits.begin(mpi->thread.last_event_ns());
    return mpi;
  }

  void leave() {
    Thread& thread = thread_->thread;
    // Other threads of the team may be given this thread's clocks next.
    if (!thread_->edges.late.empty()) [[unlikely]]
      drain_arrived(*thread_);
    thread.mpi_depth = 0;
    if (thread_->edges.arrived.count > 0) return leave_with_clocks(*thread_);
    thread.end_stretch(thread_->call.before, now_ns());
  }

  MpiThread* const thread_;
};

// A call that may find nothing. To be declared before its CallScope, because
// how long the call took is known only behind it.
class Poll {
 public:
  Poll() = default;
  ~Poll() {
    if (thread_ != nullptr) thread_->waits.add_poll();
  }
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;

  // `thread` may be null.
  void found_nothing(MpiThread* thread) { thread_ = thread; }

 private:
  MpiThread* thread_ = nullptr;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_SCOPE_H_
