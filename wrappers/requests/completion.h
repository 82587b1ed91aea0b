// What a call does that completes requests.  Handles are copied before the
// program's call, because MPI clears them, and looked up after it.
#ifndef POPRT_WRAPPERS_REQUESTS_COMPLETION_H_
#define POPRT_WRAPPERS_REQUESTS_COMPLETION_H_

#include "wrappers/requests/requests.h"

namespace poprt::mpi {

// One call that may complete some of `count` requests.
class Completion {
 public:
  // `thread` may be null: then the object does nothing.
  Completion(MpiThread* thread, int count, const MPI_Request* requests);
  ~Completion();
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // As place_of_statuses().
  MPI_Status* statuses(MPI_Status* given, int count);

  // Request `i` has completed.  Its status is element `s` of the statuses;
  // `code` is what the call returned.
  void complete(int i, int s, int code);
  // `count` requests have completed: the first ones, or those listed in
  // `indices`.  Their statuses may say otherwise.
  void complete_several(int count, const int* indices, int code);

 private:
  enum class Outcome { kReceived, kFailed, kPending };
  Outcome outcome(int s, int code) const;

  MpiThread* thread_;
  MPI_Status* filled_ = nullptr;
};

// Where a call shall write statuses: to `given`, or to memory of the thread if
// the program ignores statuses.
MPI_Status* place_of_statuses(MpiThread& thread, MPI_Status* given, int count);

// MPI_Request_get_status has seen the request complete; the request stays.
void peek_request(MpiThread& thread, Tracked* tracked,
                  const MPI_Status& status);
// The same of `count` of them, as Completion::complete_several().
void peek_several(MpiThread& thread, const MPI_Request* requests, int count,
                  const int* indices, const MPI_Status* statuses);
// MPI_Request_free: the program frees a request that it has not completed.
void forget_request(MpiThread& thread, Tracked* tracked);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_COMPLETION_H_
