// A seeded random mix of MPI traffic whose results are known: run it with and
// without the library, on any number of processes.  All processes draw the
// structure of a step from one sequence (so that no step can deadlock), and
// order, kind of completion and pauses from one of their own.
//
// Prints one line, the checksum of all data received; exit status 1 if any
// data, status or count was wrong.
//
// usage: traffic SEED STEPS
#include "traffic.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace traffic {
namespace {

Comm new_comm(const Comm& parent) {
  MPI_Comm handle = MPI_COMM_NULL;
  const int kind = common(6);
  if (kind < 3) {
    const bool member = parent.handle != MPI_COMM_NULL;
    if (kind == 0 && member) MPI_Comm_dup(parent.handle, &handle);
    if (kind == 1 && member) {
      MPI_Request request;
      MPI_Comm_idup(parent.handle, &handle, &request);
      pause_maybe();
      if (own(2) == 0) {
        for (int flag = 0; flag == 0;)
          MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
    }
    if (kind == 2 && member) {
      const int periodic = 1;
      MPI_Cart_create(parent.handle, 1, &parent.size, &periodic, 0, &handle);
    }
    return make(handle, parent.members);
  }
  // A subset, the same on all processes: one process or more.
  Ints ranks;
  Ints members;
  for (int i = 0; i < parent.size; ++i) {
    if (common(2) == 0) ranks.push_back(i);
  }
  if (ranks.empty()) ranks.push_back(common(parent.size));
  for (const int rank : ranks)
    members.push_back(parent.members[static_cast<size_t>(rank)]);
  if (parent.handle == MPI_COMM_NULL) return make(handle, members);
  const bool inside =
      std::find(ranks.begin(), ranks.end(), parent.rank) != ranks.end();
  if (kind == 3) {
    MPI_Comm_split(parent.handle, inside ? 1 : MPI_UNDEFINED, parent.rank,
                   &handle);
    return make(handle, members);
  }
  MPI_Group all;
  MPI_Group some;
  MPI_Comm_group(parent.handle, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
  if (kind == 4) MPI_Comm_create(parent.handle, some, &handle);
  if (kind == 5 && inside)
    MPI_Comm_create_group(parent.handle, some, 7, &handle);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  return make(handle, members);
}

// Two groups, joined by an intercommunicator and merged again.
void inter(const Comm& comm) {
  if (comm.size < 2) return;
  const bool low = comm.rank < comm.size / 2;
  MPI_Comm half;
  MPI_Comm bridge;
  MPI_Comm merged;
  MPI_Comm_split(comm.handle, low ? 0 : 1, comm.rank, &half);
  MPI_Intercomm_create(half, 0, comm.handle, low ? comm.size / 2 : 0, 3,
                       &bridge);
  MPI_Intercomm_merge(bridge, low ? 0 : 1, &merged);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, bridge);
  expect(sum == (low ? comm.size - comm.size / 2 : comm.size / 2),
         "sum over an intercommunicator");
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, merged);
  expect(sum == comm.size, "sum over a merged communicator");
  MPI_Comm_free(&merged);
  MPI_Comm_free(&bridge);
  MPI_Comm_free(&half);
}

// A communicator freed while a receive and a barrier on it are under way.
void freed_early(const Comm& comm) {
  MPI_Comm copy;
  MPI_Comm_dup(comm.handle, &copy);
  MPI_Request requests[3];
  int in = -1;
  int out = g_step;
  const int next = (comm.rank + 1) % comm.size;
  const int last = (comm.rank + comm.size - 1) % comm.size;
  MPI_Irecv(&in, 1, MPI_INT, own(2) == 0 ? last : MPI_ANY_SOURCE, 0, copy,
            &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, next, 0, copy, &requests[1]);
  MPI_Ibarrier(copy, &requests[2]);
  MPI_Comm_free(&copy);
  pause_maybe();
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expect(in == g_step, "message on a freed communicator");
}

void step(std::vector<Comm>& comms) {
  const size_t which =
      static_cast<size_t>(common(static_cast<int>(comms.size())));
  const int kind = common(20);
  if (kind == 0 && comms.size() < 7) {
    comms.push_back(new_comm(comms[which]));
    return;
  }
  if (kind == 1 && which > 0) {
    if (comms[which].handle != MPI_COMM_NULL)
      MPI_Comm_free(&comms[which].handle);
    comms.erase(comms.begin() + static_cast<long>(which));
    return;
  }
  const Comm& comm = comms[which];
  // Processes outside the communicator draw no common numbers, so all go on
  // from one seed.
  const unsigned seed = g_common();
  if (comm.handle != MPI_COMM_NULL) {
    if (kind < 7)
      messages(comm);
    else if (kind < 9)
      shift(comm);
    else if (kind < 13)
      blocking_collective(comm);
    else if (kind < 16)
      later_collectives(comm);
    else if (kind == 16)
      neighbors(comm);
    else if (kind == 17)
      cancelled(comm);
    else if (kind == 18)
      inter(comm);
    else
      freed_early(comm);
  }
  g_common.seed(seed);
}

int run(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const unsigned seed =
      argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 100;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &g_world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  g_common.seed(seed);
  g_own.seed(seed + 7919 * static_cast<unsigned>(g_world_rank + 1));
  Ints everybody(static_cast<size_t>(size));
  std::iota(everybody.begin(), everybody.end(), 0);
  std::vector<Comm> comms = {make(MPI_COMM_WORLD, everybody)};
  for (g_step = 1; g_step <= steps; ++g_step) step(comms);
  for (size_t i = 1; i < comms.size(); ++i) {
    if (comms[i].handle != MPI_COMM_NULL) MPI_Comm_free(&comms[i].handle);
  }
  long long sum[2] = {g_checksum, g_errors};
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (g_world_rank == 0)
    std::printf("traffic: seed %u, %d processes: %lld\n", seed, size, sum[0]);
  MPI_Finalize();
  return sum[1] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace traffic

int main(int argc, char** argv) { return traffic::run(argc, argv); }
