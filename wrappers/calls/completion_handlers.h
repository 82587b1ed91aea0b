// Handlers of calls that complete requests.
#ifndef POPRT_WRAPPERS_CALLS_COMPLETION_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_COMPLETION_HANDLERS_H_

#include <algorithm>

#include "wrappers/calls/scope.h"
#include "wrappers/requests/completion.h"

namespace poprt::mpi {

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
  Poll poll;
  const CallScope scope;
  Completion completion(scope.thread(), 1, request);
  const int code = call(completion.statuses(status, 1));
  if (code == MPI_SUCCESS && *flag == 0) poll.found_nothing(scope.thread());
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
  Poll poll;
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(statuses, count));
  if (code == MPI_SUCCESS && *flag == 0) poll.found_nothing(scope.thread());
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
  Poll poll;
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(status, 1));
  if (code == MPI_SUCCESS && *flag == 0) poll.found_nothing(scope.thread());
  if (!refused(code) && *flag != 0 && *index >= 0 && *index < count) {
    completion.complete(*index, 0, code);
  }
  return code;
}

// Also for MPI_Testsome, which sets *out_count to 0 if none has completed.
template <class Call>
int wait_some(int count, MPI_Request* requests, const int* out_count,
              const int* indices, MPI_Status* statuses, Call call) {
  Poll poll;
  const CallScope scope;
  Completion completion(scope.thread(), count, requests);
  const int code = call(completion.statuses(statuses, count));
  if (code == MPI_SUCCESS && *out_count == 0)
    poll.found_nothing(scope.thread());
  if (!refused(code) && *out_count != MPI_UNDEFINED) {
    completion.complete_several(*out_count, indices, code);
  }
  return code;
}

template <class Call>
int peek(MPI_Request request, const int* flag, MPI_Status* status, Call call) {
  Poll poll;
  const CallScope scope;
  Tracked* const tracked =
      scope.thread() == nullptr ? nullptr : find_tracked(request);
  if (tracked == nullptr) return call(status);
  MPI_Status own;
  MPI_Status* const filled = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = call(filled);
  if (code == MPI_SUCCESS && *flag == 0) poll.found_nothing(scope.thread());
  if (code == MPI_SUCCESS && *flag != 0) {
    peek_request(*scope.thread(), tracked, *filled);
  }
  return code;
}

// What MPI_Request_get_status_all, _any and _some have seen complete: the first
// `count` requests, or those listed in `indices`.
struct Seen {
  bool is_any;
  int count;
  const int* indices;
};
template <class Call, class WhatWasSeen>
int peek_some(const MPI_Request* requests, MPI_Status* statuses, int room,
              Call call, WhatWasSeen what_was_seen) {
  Poll poll;
  const CallScope scope;
  // MPI tells what is wrong with a count or a list.
  if (scope.thread() == nullptr || room <= 0 || requests == nullptr)
    return call(statuses);
  MPI_Status* const filled = place_of_statuses(*scope.thread(), statuses, room);
  const int code = call(filled);
  if (code != MPI_SUCCESS) return code;
  const Seen seen = what_was_seen();
  if (!seen.is_any) poll.found_nothing(scope.thread());
  peek_several(*scope.thread(), requests, seen.count, seen.indices, filled);
  return code;
}

template <class Call>
int peek_all(int count, const MPI_Request* requests, const int* flag,
             MPI_Status* statuses, Call call) {
  return peek_some(requests, statuses, count, call, [&] {
    return Seen{*flag != 0, *flag != 0 ? count : 0, nullptr};
  });
}

template <class Call>
int peek_any(int count, const MPI_Request* requests, const int* index,
             const int* flag, MPI_Status* status, Call call) {
  return peek_some(requests, status, 1, call, [&] {
    const bool has_one = *flag != 0 && *index >= 0 && *index < count;
    return Seen{*flag != 0, has_one ? 1 : 0, index};
  });
}

template <class Call>
int peek_several_of(int count, const MPI_Request* requests,
                    const int* out_count, const int* indices,
                    MPI_Status* statuses, Call call) {
  return peek_some(requests, statuses, count, call, [&] {
    return Seen{*out_count != 0, std::max(*out_count, 0), indices};
  });
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_COMPLETION_HANDLERS_H_
