// Handlers of calls that synchronise processes on a window.  Calls that move
// data on it only take time.
#ifndef POPRT_WRAPPERS_CALLS_WINDOW_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_WINDOW_HANDLERS_H_

#include "wrappers/calls/collective_handlers.h"
#include "wrappers/calls/comm_scope.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/windows.h"

namespace poprt::mpi {

template <class Call>
int new_window(MPI_Comm comm, const void* created, Call call) {
  const CommScope scope(comm);
  CommInfo* const info = scope.comm();
  if (info == nullptr) return scope.without_clocks(comm, call);
  bool met = false;
  const int code = making(scope.thread(), *info, call, succeeded, &met);
  // MPI_Win_allocate_c and others declare the window as void*.
  if (met) {
    const RareWorkTime time(scope.thread().thread.cost);
    add_window(*info, *static_cast<const MPI_Win*>(created));
  }
  return code;
}

// One MPI call on a window.
class WindowScope {
 public:
  explicit WindowScope(MPI_Win win)
      : known_(scope_.thread() == nullptr ? nullptr : find_window(win)) {}

  // Null if the call carries no clocks.
  Window* window() const {
    return known_ == nullptr || known_->comm == nullptr ? nullptr : known_;
  }
  // REQUIRES: the call is measured: window() is not null, or lacks_shadow().
  MpiThread& thread() const { return *scope_.thread(); }

  // The window has no shadow, so that window() is null.
  bool lacks_shadow() const {
    return known_ != nullptr && known_->comm == nullptr;
  }
  // In a call that succeeds only after other processes have done their part.
  int without_clocks(int code) const {
    if (scope_.thread() == nullptr || code != MPI_SUCCESS) return code;
    if (lacks_shadow()) thread().thread.process().lost_clocks.add(1);
    if (has_other_processes()) lose_partner(thread());
    return code;
  }

 private:
  const CallScope scope_;
  Window* const known_;
};

template <class Call>
int fence(int assertion, MPI_Win win, Call call) {
  const WindowScope scope(win);
  // A fence that ends no epoch need not wait for other processes.  All
  // processes must give this assertion if one does (MPI-4.0, 12.5.5).
  if ((assertion & MPI_MODE_NOPRECEDE) != 0) return call();
  if (scope.window() == nullptr) return scope.without_clocks(call());
  return among_all(scope.thread(), *scope.window()->comm, call);
}

template <class Call>
int free_window(const MPI_Win* win, Call call) {
  if (win == nullptr) return call();
  const MPI_Win handle = *win;
  const WindowScope scope(handle);
  CommInfo* const comm =
      scope.window() == nullptr ? nullptr : scope.window()->comm;
  if (comm == nullptr && !scope.lacks_shadow()) {
    return scope.without_clocks(call());
  }
  MpiThread& thread = scope.thread();
  if (comm != nullptr) contribute(thread, *comm, thread.edges.outgoing);
  Window* const window = take_window(handle);
  const int code = comm == nullptr ? scope.without_clocks(call()) : call();
  if (code != MPI_SUCCESS) {
    put_back_window(handle, window);
    return code;
  }
  if (comm != nullptr) exchange_with_all(thread, *comm, thread.edges.outgoing);
  drop_window(window);
  return code;
}

// MPI_Win_post.
template <class Call>
int expose(MPI_Group group, MPI_Win win, Call call) {
  const WindowScope scope(win);
  Window* const window = scope.window();
  if (window == nullptr) return call();
  find_partners(*window->comm, group, window->origins);
  send_pairwise(scope.thread(), *window->comm, window->origins, kExposureTag);
  const int code = call();
  if (code != MPI_SUCCESS) {
    owe_epoch(*window->comm, window->origins, kExposureTag);
  }
  return code;
}

template <class Call>
int start_access(MPI_Group group, MPI_Win win, Call call) {
  const WindowScope scope(win);
  const int code = call();
  if (scope.window() != nullptr && code == MPI_SUCCESS) {
    find_partners(*scope.window()->comm, group, scope.window()->targets);
    // Whether it has waited is known when the clocks of MPI_Win_post are taken.
    scope.thread().thread.book(now_ns());
    scope.window()->start = scope.thread().waits.put_off();
  }
  return code;
}

template <class Call>
int complete_access(MPI_Win win, Call call) {
  const WindowScope scope(win);
  Window* const window = scope.window();
  if (window == nullptr) return scope.without_clocks(call());
  send_pairwise(scope.thread(), *window->comm, window->targets, kCompletionTag);
  const int code = call();
  if (code != MPI_SUCCESS) {
    owe_epoch(*window->comm, window->targets, kCompletionTag);
    return code;
  }
  // An access epoch needs the targets to have exposed their memory.  An MPI
  // that buffers may return earlier (MPI-4.0, 12.5.2).
  for (int target : window->targets) {
    take_soon(scope.thread(), *window->comm, target, kExposureTag);
  }
  scope.thread().waits.count_late(scope.thread().edges.arrived, window->start);
  window->targets.clear();
  return code;
}

// MPI_Win_wait, or MPI_Win_test with its flag.
template <class Call>
int end_exposure(MPI_Win win, const int* flag, Call call) {
  Poll poll;
  const WindowScope scope(win);
  Window* const window = scope.window();
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  if (flag != nullptr && *flag == 0) {
    poll.found_nothing(window == nullptr ? nullptr : &scope.thread());
    return code;
  }
  if (window == nullptr) return scope.without_clocks(code);
  take_pairwise(scope.thread(), *window->comm, window->origins, kCompletionTag);
  window->origins.clear();
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_WINDOW_HANDLERS_H_
