// The calls that complete requests.  Handles are copied before the program's
// call, because it clears them, and looked up after it.
#ifndef POPRT_WRAPPERS_COMPLETION_H_
#define POPRT_WRAPPERS_COMPLETION_H_

#include "wrappers/requests.h"
#include "wrappers/scope.h"

namespace poprt::mpi {

// One call that may complete some of `count` requests.
class Completion {
 public:
  // `thread` may be null; then nothing happens.
  Completion(MpiThread* thread, int count, const MPI_Request* requests);
  ~Completion();
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // Where the call is to write statuses: at `given`, or at an own place where
  // the program does not want them.
  MPI_Status* statuses(MPI_Status* given, int count);

  // requests[i] is complete; its status is statuses()[s].  `code` is what the
  // call returned.
  void complete(int i, int s, int code);
  // `count` requests are complete, as far as their statuses say: the first
  // ones, or those that `indices` names.
  void complete_several(int count, const int* indices, int code);

 private:
  enum class Outcome { kReceived, kFailed, kPending };
  Outcome outcome(int s, int code) const;

  MpiThread* thread_;
  MPI_Status* filled_ = nullptr;
};

// A request is seen to be complete without being freed.
void peek_request(MpiThread& thread, Tracked* tracked,
                  const MPI_Status& status);
// The program frees a request without completing it.
void forget_request(MpiThread& thread, Tracked* tracked);

template <class Call>
int wait(MPI_Request* request, MPI_Status* status, Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), 1, request);
  const int code = call(completion.statuses(status, 1));
  if (!refused(code)) completion.complete(0, 0, code);
  return code;
}

template <class Call>
int test(MPI_Request* request, const int* flag, MPI_Status* status, Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), 1, request);
  const int code = call(completion.statuses(status, 1));
  if (!refused(code) && (code != MPI_SUCCESS || *flag != 0)) {
    completion.complete(0, 0, code);
  }
  return code;
}

template <class Call>
int wait_all(int count, MPI_Request* requests, MPI_Status* statuses,
             Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(statuses, count));
  completion.complete_several(count, nullptr, code);
  return code;
}

template <class Call>
int test_all(int count, MPI_Request* requests, const int* flag,
             MPI_Status* statuses, Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(statuses, count));
  if (!refused(code) && (code != MPI_SUCCESS || *flag != 0)) {
    completion.complete_several(count, nullptr, code);
  }
  return code;
}

template <class Call>
int wait_any(int count, MPI_Request* requests, const int* index,
             MPI_Status* status, Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(status, 1));
  if (!refused(code) && *index >= 0 && *index < count) {
    completion.complete(*index, 0, code);
  }
  return code;
}

template <class Call>
int test_any(int count, MPI_Request* requests, const int* index,
             const int* flag, MPI_Status* status, Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(status, 1));
  if (!refused(code) && *flag != 0 && *index >= 0 && *index < count) {
    completion.complete(*index, 0, code);
  }
  return code;
}

// MPI_Testsome as well: none complete is an outcount of 0.
template <class Call>
int wait_some(int count, MPI_Request* requests, const int* out_count,
              const int* indices, MPI_Status* statuses, Call call) {
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(statuses, count));
  if (!refused(code) && *out_count != MPI_UNDEFINED) {
    completion.complete_several(*out_count, indices, code);
  }
  return code;
}

template <class Call>
int peek(MPI_Request request, const int* flag, MPI_Status* status, Call call) {
  const CallScope scope;
  Tracked* const tracked =
      scope.thread() == nullptr ? nullptr : find_tracked(request);
  if (tracked == nullptr) return call(status);
  MPI_Status own;
  MPI_Status* const filled = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = call(filled);
  if (code == MPI_SUCCESS && *flag != 0) {
    peek_request(*scope.thread(), tracked, *filled);
  }
  return code;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_COMPLETION_H_
