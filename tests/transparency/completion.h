// What the cases of completed requests share.
#ifndef POPRT_TESTS_TRANSPARENCY_COMPLETION_H_
#define POPRT_TESTS_TRANSPARENCY_COMPLETION_H_

#include <vector>

#include "transparency.h"

namespace transparency {

inline bool all_null(const std::vector<MPI_Request>& requests) {
  for (const MPI_Request r : requests) {
    if (r != MPI_REQUEST_NULL) return false;
  }
  return true;
}

// Receives of `count` messages around the ring, and the sends of them: i is
// sent with tag i and has i % 5 + 1 numbers.
struct Ring {
  explicit Ring(int messages)
      : count(static_cast<size_t>(messages)),
        in(count, Ints(6, -1)),
        out(numbers(10, rank() * 100)),
        receives(count),
        sends(count),
        statuses(count) {}

  void post() {
    for (size_t i = 0; i < count; ++i) {
      MPI_Irecv(in[i].data(), 6, MPI_INT, previous(), static_cast<int>(i),
                MPI_COMM_WORLD, &receives[i]);
    }
  }
  void send() {
    for (size_t i = 0; i < count; ++i) {
      MPI_Isend(out.data(), static_cast<int>(i % 5) + 1, MPI_INT, next(),
                static_cast<int>(i), MPI_COMM_WORLD, &sends[i]);
    }
  }
  void finish_sends() {
    MPI_Waitall(static_cast<int>(count), sends.data(), MPI_STATUSES_IGNORE);
  }
  void show_data() {
    for (const Ints& data : in) show("data", data);
  }
  void finish() {
    finish_sends();
    show_data();
  }
  void show_statuses() {
    for (const Status& status : statuses) show("status", status);
  }

  size_t count;
  std::vector<Ints> in;
  Ints out;
  std::vector<MPI_Request> receives;
  std::vector<MPI_Request> sends;
  std::vector<Status> statuses;
};

// All of it is under way.
struct RingUnderWay : Ring {
  explicit RingUnderWay(int messages) : Ring(messages) {
    post();
    send();
  }
};

inline int as_int(size_t n) { return static_cast<int>(n); }

// The status of an inactive request.
inline void show_empty(const char* what, const MPI_Status& status) {
  show_with_error(what, status);
  line("%s: empty: %s", what,
       yes(status.MPI_SOURCE == MPI_ANY_SOURCE &&
           status.MPI_TAG == MPI_ANY_TAG));
}

inline Status spoiled() {
  Status status;
  status.MPI_SOURCE = status.MPI_TAG = 99;
  status.MPI_ERROR = MPI_SUCCESS;
  return status;
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_COMPLETION_H_
