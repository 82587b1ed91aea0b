// What all parts of the random traffic share.
#ifndef POPRT_TESTS_STRESS_TRAFFIC_H_
#define POPRT_TESTS_STRESS_TRAFFIC_H_

#include <mpi.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace traffic {

using Ints = std::vector<int>;

inline std::mt19937 g_common;  // the same on all processes
inline std::mt19937 g_own;
inline int64_t g_checksum = 0;
inline int g_errors = 0;
inline int g_step = 0;
inline int g_world_rank = 0;

inline int common(int n) {
  return static_cast<int>(g_common() % static_cast<unsigned>(n));
}
inline int own(int n) {
  return static_cast<int>(g_own() % static_cast<unsigned>(n));
}

inline void expect(bool good, const char* what) {
  if (good) return;
  if (g_errors++ < 5) {
    std::fprintf(stderr, "rank %d, step %d: wrong %s\n", g_world_rank, g_step,
                 what);
  }
}

inline void pause_maybe() {
  if (own(6) == 0) usleep(static_cast<unsigned>(own(400)));
}

struct Comm {
  MPI_Comm handle = MPI_COMM_NULL;  // for processes that are not in it
  int rank = -1;
  int size = 0;
  Ints members;  // world ranks, known to all
};

inline Comm make(MPI_Comm handle, Ints members) {
  Comm comm;
  comm.handle = handle;
  comm.members = std::move(members);
  comm.size = static_cast<int>(comm.members.size());
  if (handle != MPI_COMM_NULL) {
    int size = 0;
    MPI_Comm_rank(handle, &comm.rank);
    MPI_Comm_size(handle, &size);
    expect(size == comm.size, "size of a new communicator");
    expect(comm.members[static_cast<size_t>(comm.rank)] == g_world_rank,
           "rank in a new communicator");
  }
  return comm;
}

// Completes all requests; statuses[i] belongs to requests[i].
void complete(std::vector<MPI_Request>& requests,
              std::vector<MPI_Status>& statuses);

// Each is a step of the traffic on a communicator of this process.
void messages(const Comm& comm);
void shift(const Comm& comm);
void cancelled(const Comm& comm);
void blocking_collective(const Comm& comm);
void later_collectives(const Comm& comm);
void neighbors(const Comm& comm);

}  // namespace traffic

#endif  // POPRT_TESTS_STRESS_TRAFFIC_H_
