// Errors that return, and what works after them.
//
// If MPI itself finds an argument to be wrong, it returns the error before
// anything happens. A tool that has done its own part by then is out of step
// with the other processes.
#include <algorithm>

#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "errors";

// Makes a wrong call on every process, then on one only, and uses the
// communicator after each.
template <class Wrong>
void wrong_call(Wrong call, MPI_Comm comm = MPI_COMM_WORLD) {
  ErrorsReturn errors(comm);
  for (int i = 0; i < 2; ++i) {
    show("everybody", call());
    use("then", comm);
  }
  for (int who = 0; who < std::min(size(), 2); ++who) {
    if (rank() == who) show("one alone", call());
    use("then", comm);
    MPI_Barrier(comm);
    int value = rank() == 0 ? 33 : -1;
    MPI_Bcast(&value, 1, MPI_INT, 0, comm);
    int sum = -1;
    MPI_Scan(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("value %d, sum %d", value, sum);
  }
}

int g_in[64];
const int g_out[64] = {};

#define WRONG(name, ...)                      \
  CASE(name) {                                \
    wrong_call([] { return (__VA_ARGS__); }); \
  }

const MPI_Comm kWorld = MPI_COMM_WORLD;

// ---- messages ---------------------------------------------------------------

WRONG(send_rank, MPI_Send(g_out, 1, MPI_INT, 1000, 0, kWorld))
WRONG(send_negative_rank, MPI_Send(g_out, 1, MPI_INT, -77, 0, kWorld))
WRONG(send_any_source,
      MPI_Send(g_out, 1, MPI_INT, MPI_ANY_SOURCE - 1000, 0, kWorld))
WRONG(send_negative_tag, MPI_Send(g_out, 1, MPI_INT, next(), -5, kWorld))
WRONG(send_any_tag, MPI_Send(g_out, 1, MPI_INT, next(), MPI_ANY_TAG, kWorld))
WRONG(send_negative_count, MPI_Send(g_out, -1, MPI_INT, next(), 0, kWorld))
WRONG(send_null_type, MPI_Send(g_out, 1, MPI_DATATYPE_NULL, next(), 0, kWorld))
WRONG(send_null_comm, MPI_Send(g_out, 1, MPI_INT, 0, 0, MPI_COMM_NULL))
WRONG(ssend_rank, MPI_Ssend(g_out, 1, MPI_INT, 1000, 0, kWorld))
WRONG(ssend_count, MPI_Ssend(g_out, -1, MPI_INT, next(), 0, kWorld))
WRONG(bsend_count, MPI_Bsend(g_out, -1, MPI_INT, next(), 0, kWorld))
WRONG(rsend_count, MPI_Rsend(g_out, -1, MPI_INT, next(), 0, kWorld))
WRONG(recv_rank, MPI_Recv(g_in, 1, MPI_INT, 1000, 0, kWorld, MPI_STATUS_IGNORE))
WRONG(recv_tag, MPI_Recv(g_in, 1, MPI_INT, 0, -77, kWorld, MPI_STATUS_IGNORE))
WRONG(recv_count, MPI_Recv(g_in, -1, MPI_INT, 0, 0, kWorld, MPI_STATUS_IGNORE))
WRONG(recv_null_comm,
      MPI_Recv(g_in, 1, MPI_INT, 0, 0, MPI_COMM_NULL, MPI_STATUS_IGNORE))
WRONG(sendrecv_dest, MPI_Sendrecv(g_out, 1, MPI_INT, 1000, 0, g_in, 1, MPI_INT,
                                  0, 0, kWorld, MPI_STATUS_IGNORE))
WRONG(sendrecv_source,
      MPI_Sendrecv(g_out, 1, MPI_INT, next(), 0, g_in, 1, MPI_INT, 1000, 0,
                   kWorld, MPI_STATUS_IGNORE))
WRONG(sendrecv_receive_count,
      MPI_Sendrecv(g_out, 1, MPI_INT, next(), 0, g_in, -1, MPI_INT, previous(),
                   0, kWorld, MPI_STATUS_IGNORE))
WRONG(sendrecv_replace_count,
      MPI_Sendrecv_replace(g_in, -1, MPI_INT, next(), 0, previous(), 0, kWorld,
                           MPI_STATUS_IGNORE))
WRONG(probe_rank, MPI_Probe(1000, 0, kWorld, MPI_STATUS_IGNORE))
WRONG(probe_tag, MPI_Probe(0, -77, kWorld, MPI_STATUS_IGNORE))

CASE(isend_and_irecv) {
  wrong_call([] {
    MPI_Request request = MPI_REQUEST_NULL;
    show("rank", MPI_Isend(g_out, 1, MPI_INT, 1000, 0, kWorld, &request));
    show("tag", MPI_Isend(g_out, 1, MPI_INT, next(), -7, kWorld, &request));
    show("count", MPI_Isend(g_out, -1, MPI_INT, next(), 0, kWorld, &request));
    show("issend", MPI_Issend(g_out, -1, MPI_INT, next(), 0, kWorld, &request));
    show("ibsend", MPI_Ibsend(g_out, -1, MPI_INT, next(), 0, kWorld, &request));
    show("irsend", MPI_Irsend(g_out, -1, MPI_INT, next(), 0, kWorld, &request));
    show("source", MPI_Irecv(g_in, 1, MPI_INT, 1000, 0, kWorld, &request));
    show("count", MPI_Irecv(g_in, -1, MPI_INT, 0, 0, kWorld, &request));
    return MPI_Irecv(g_in, 1, MPI_INT, 0, -7, kWorld, &request);
  });
}

CASE(persistent_messages) {
  wrong_call([] {
    MPI_Request request = MPI_REQUEST_NULL;
    show("rank", MPI_Send_init(g_out, 1, MPI_INT, 1000, 0, kWorld, &request));
    show("tag",
         MPI_Ssend_init(g_out, 1, MPI_INT, next(), -7, kWorld, &request));
    show("count",
         MPI_Bsend_init(g_out, -1, MPI_INT, next(), 0, kWorld, &request));
    show("type", MPI_Rsend_init(g_out, 1, MPI_DATATYPE_NULL, next(), 0, kWorld,
                                &request));
    show("recv", MPI_Recv_init(g_in, -1, MPI_INT, 0, 0, kWorld, &request));
    MPI_Request null = MPI_REQUEST_NULL;
    return MPI_Start(&null);
  });
}

CASE(probes) {
  wrong_call([] {
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    show("iprobe", MPI_Iprobe(1000, 0, kWorld, &flag, MPI_STATUS_IGNORE));
    show("mprobe", MPI_Mprobe(1000, 0, kWorld, &message, MPI_STATUS_IGNORE));
    show("improbe",
         MPI_Improbe(0, -77, kWorld, &flag, &message, MPI_STATUS_IGNORE));
    return MPI_Mprobe(-1000, 0, kWorld, &message, MPI_STATUS_IGNORE);
  });
}

// The errors of a stream must not disturb its messages.
CASE(wrong_sends_within_a_stream) {
  ErrorsReturn errors(kWorld);
  for (int i = 0; i < 6; ++i) {
    if (i % 2 == rank() % 2) {
      show("count", MPI_Send(&i, -1, MPI_INT, next(), 4, kWorld));
      show("type", MPI_Send(&i, 1, MPI_DATATYPE_NULL, next(), 4, kWorld));
    }
    MPI_Request request;
    MPI_Isend(&i, 1, MPI_INT, next(), 4, kWorld, &request);
    int in = -1;
    Status status;
    MPI_Recv(&in, 1, MPI_INT, previous(), 4, kWorld, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("status", status);
    line("value %d", in);
  }
}

CASE(wrong_synchronous_sends_within_a_stream) {
  ErrorsReturn errors(kWorld);
  for (int i = 0; i < 6; ++i) {
    if (rank() == 0) {
      show("count", MPI_Ssend(&i, -1, MPI_INT, next(), 4, kWorld));
    }
    MPI_Request request;
    MPI_Issend(&i, 1, MPI_INT, next(), 4, kWorld, &request);
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, previous(), 4, kWorld, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("value %d", in);
  }
}

// ---- completion -------------------------------------------------------------

CASE(negative_counts_of_requests) {
  wrong_call([] {
    int flag = 0;
    int index = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    Status status;
    show("testall", MPI_Testall(-1, &request, &flag, &status));
    show("waitany", MPI_Waitany(-1, &request, &index, &status));
    show("waitsome", MPI_Waitsome(-1, &request, &index, &flag, &status));
    return MPI_Waitall(-1, &request, &status);
  });
}

#if !defined(OPEN_MPI)  // 4.1 does not look
CASE(null_arguments_of_completion) {
  wrong_call([] {
    int flag = 0;
    show("test", MPI_Test(nullptr, &flag, MPI_STATUS_IGNORE));
    show("waitall", MPI_Waitall(1, nullptr, MPI_STATUSES_IGNORE));
    show("waitany", MPI_Waitany(1, nullptr, &flag, MPI_STATUS_IGNORE));
    return MPI_Wait(nullptr, MPI_STATUS_IGNORE);
  });
}
#endif

CASE(null_request_arguments) {
  wrong_call([] {
    MPI_Request null = MPI_REQUEST_NULL;
    show("cancel", MPI_Cancel(&null));
    show("start", MPI_Start(&null));
    return MPI_Request_free(&null);
  });
}

// ---- collectives ------------------------------------------------------------

WRONG(barrier_null_comm, MPI_Barrier(MPI_COMM_NULL))
WRONG(bcast_root, MPI_Bcast(g_in, 1, MPI_INT, 1000, kWorld))
WRONG(bcast_negative_root, MPI_Bcast(g_in, 1, MPI_INT, -9, kWorld))
WRONG(bcast_count, MPI_Bcast(g_in, -1, MPI_INT, 0, kWorld))
WRONG(bcast_type, MPI_Bcast(g_in, 1, MPI_DATATYPE_NULL, 0, kWorld))
WRONG(bcast_null_comm, MPI_Bcast(g_in, 1, MPI_INT, 0, MPI_COMM_NULL))
WRONG(reduce_op, MPI_Reduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, 0, kWorld))
WRONG(reduce_root, MPI_Reduce(g_out, g_in, 1, MPI_INT, MPI_SUM, 1000, kWorld))
#if defined(OPEN_MPI)  // MPICH 4.0 does not look
WRONG(reduce_count, MPI_Reduce(g_out, g_in, -1, MPI_INT, MPI_SUM, 0, kWorld))
WRONG(allreduce_count, MPI_Allreduce(g_out, g_in, -1, MPI_INT, MPI_SUM, kWorld))
#endif
WRONG(allreduce_op, MPI_Allreduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, kWorld))
WRONG(allreduce_type,
      MPI_Allreduce(g_out, g_in, 1, MPI_DATATYPE_NULL, MPI_SUM, kWorld))
WRONG(allreduce_op_of_another_type,
      MPI_Allreduce(g_out, g_in, 1, MPI_DOUBLE, MPI_BAND, kWorld))
WRONG(allgather_count,
      MPI_Allgather(g_out, -1, MPI_INT, g_in, 1, MPI_INT, kWorld))
WRONG(allgather_receive_count,
      MPI_Allgather(g_out, 1, MPI_INT, g_in, -1, MPI_INT, kWorld))
WRONG(alltoall_count,
      MPI_Alltoall(g_out, -1, MPI_INT, g_in, -1, MPI_INT, kWorld))
WRONG(scatter_root,
      MPI_Scatter(g_out, 1, MPI_INT, g_in, 1, MPI_INT, 1000, kWorld))
WRONG(gather_root,
      MPI_Gather(g_out, 1, MPI_INT, g_in, 1, MPI_INT, 1000, kWorld))
WRONG(scan_op, MPI_Scan(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, kWorld))
WRONG(exscan_op, MPI_Exscan(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, kWorld))
WRONG(reduce_scatter_block_op,
      MPI_Reduce_scatter_block(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, kWorld))

CASE(counts_of_each) {
  wrong_call([] {
    const std::vector<int> bad(8, -1);
    const std::vector<int> zero(8, 0);
    const std::vector<int> one(8, 1);
    const Ints places = numbers(8);
#if !defined(OPEN_MPI)  // 4.1 does not look
    show("allgatherv", MPI_Allgatherv(g_out, 1, MPI_INT, g_in, bad.data(),
                                      places.data(), MPI_INT, kWorld));
#endif
    show("alltoallv",
         MPI_Alltoallv(g_out, bad.data(), places.data(), MPI_INT, g_in,
                       bad.data(), places.data(), MPI_INT, kWorld));
    show("scatterv", MPI_Scatterv(g_out, one.data(), places.data(), MPI_INT,
                                  g_in, 1, MPI_INT, 1000, kWorld));
    show("gatherv", MPI_Gatherv(g_out, 1, MPI_INT, g_in, one.data(),
                                places.data(), MPI_INT, 1000, kWorld));
    return MPI_Reduce_scatter(g_out, g_in, one.data(), MPI_INT, MPI_OP_NULL,
                              kWorld);
  });
}

CASE(nonblocking_collectives) {
  wrong_call([] {
    MPI_Request request = MPI_REQUEST_NULL;
    show("ibcast root", MPI_Ibcast(g_in, 1, MPI_INT, 1000, kWorld, &request));
    show("ibcast count", MPI_Ibcast(g_in, -1, MPI_INT, 0, kWorld, &request));
    show("iallreduce", MPI_Iallreduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL,
                                      kWorld, &request));
    show("ireduce", MPI_Ireduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, 0, kWorld,
                                &request));
    show("ibarrier", MPI_Ibarrier(MPI_COMM_NULL, &request));
    show("iscan",
         MPI_Iscan(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, kWorld, &request));
    return MPI_Iallgather(g_out, -1, MPI_INT, g_in, -1, MPI_INT, kWorld,
                          &request);
  });
}

#if defined(OPEN_MPI)  // MPICH 4.0 does not look
CASE(neighbours_without_topology) {
  wrong_call([] {
    return MPI_Neighbor_allgather(g_out, 1, MPI_INT, g_in, 1, MPI_INT, kWorld);
  });
}
#endif

// ---- communicators ----------------------------------------------------------

CASE(constructors) {
  wrong_call([] {
    MPI_Comm comm = MPI_COMM_NULL;
    const int dims[2] = {1000, 1000};
    const int periods[2] = {0, 0};
    show("dup", MPI_Comm_dup(MPI_COMM_NULL, &comm));
    show("split", MPI_Comm_split(MPI_COMM_NULL, 0, 0, &comm));
#if defined(OPEN_MPI)  // MPICH 4.0 takes it for a colour
    show("color", MPI_Comm_split(kWorld, -33, 0, &comm));
#endif
    show("create", MPI_Comm_create(kWorld, MPI_GROUP_NULL, &comm));
    show("free", MPI_Comm_free(&comm));
    return MPI_Cart_create(kWorld, 2, dims, periods, 0, &comm);
  });
}

#if !defined(OPEN_MPI)  // 4.1 frees it, and the program cannot go on
CASE(free_of_the_world) {
  wrong_call([] {
    MPI_Comm world = MPI_COMM_WORLD;
    return MPI_Comm_free(&world);
  });
}
#endif

CASE(intercomm_create_wrong_leader) {
  ErrorsReturn errors(MPI_COMM_SELF);
  wrong_call([] {
    MPI_Comm comm = MPI_COMM_NULL;
    return MPI_Intercomm_create(MPI_COMM_SELF, 7, kWorld, 0, 1, &comm);
  });
}

#if defined(OPEN_MPI)  // MPICH 4.0 crashes
CASE(merge_of_an_intracommunicator) {
  wrong_call([] {
    MPI_Comm comm = MPI_COMM_NULL;
    return MPI_Intercomm_merge(kWorld, 0, &comm);
  });
}
#endif

CASE(remote_of_an_intracommunicator) {
  wrong_call([] {
    int n = -1;
    return MPI_Comm_remote_size(kWorld, &n);
  });
}

}  // namespace
