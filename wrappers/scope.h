// CallScope: one MPI call of the program, from its first instruction to its
// last.
//
// Only the outermost call of a thread counts: an MPI library that calls itself
// by MPI_ names, and the tool's own traffic, run untouched.  Outside of
// MPI_Init ... MPI_Finalize nothing happens.
#ifndef POPRT_WRAPPERS_SCOPE_H_
#define POPRT_WRAPPERS_SCOPE_H_

#include "runtime/left_frame.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// A thread that calls MPI for the first time.
MpiThread* new_mpi_thread();

// Merges what has come late, if the first of it is wanted and here; never
// waits.
void drain_arrived(MpiThread& thread);

// The program has left a call by siglongjmp().
void forget_call(MpiThread& thread);

class CallScope {
 public:
  // `state`: what kind of call it is.
  [[gnu::always_inline]] explicit CallScope(State state = State::kMpi)
      // The frame of the entry, whatever is in it: another call from the same
      // place has its own there, too.
      : thread_(enter(
            state, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)))) {}
  ~CallScope() {
    if (thread_ != nullptr) leave();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // Null where the call is not to be measured.
  MpiThread* thread() const { return thread_; }

 private:
  static MpiThread* enter(State state, uintptr_t frame) {
    if (!g_active.load(std::memory_order_relaxed)) return nullptr;
    const int64_t now = leave_ns();
    Thread* const thread = t_thread;
    MpiThread* mpi;
    if (thread == nullptr || thread->mpi == nullptr) [[unlikely]] {
      mpi = new_mpi_thread();
    } else {
      mpi = static_cast<MpiThread*>(thread->mpi);
    }
    if (mpi->thread.mpi_depth > 0) {
      if (!is_left(mpi->frame, frame, 0)) return nullptr;
      forget_call(*mpi);
    } else {
      mpi->before = mpi->thread.state();
    }
    mpi->thread.mpi_depth = 1;
    mpi->frame = frame;
    mpi->thread.switch_to(state, now);
    return mpi;
  }

  void leave() {
    Thread& thread = thread_->thread;
    // The threads of a team may get these clocks next.
    if (!thread_->late.empty()) [[unlikely]]
      drain_arrived(*thread_);
    int64_t now = now_ns();
    if (thread_->arrived.count > 0) {
      thread.book(now);
      thread.merge(thread_->arrived);
      thread_->arrived.count = 0;
      now = now_ns();
    }
    thread.mpi_depth = 0;
    thread.switch_to(thread_->before, now);
  }

  MpiThread* const thread_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_SCOPE_H_
