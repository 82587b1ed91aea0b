// Errors that return, and what works after them.
//
// If MPI itself finds an argument to be wrong, it returns the error before
// anything happens. A tool that has done its own part by then is out of step
// with the other processes.
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

// ---- handlers of the program ------------------------------------------------

int g_handled = 0;
MPI_Comm g_handled_comm = MPI_COMM_NULL;
int g_handled_code = MPI_SUCCESS;

void handle(MPI_Comm* comm, int* code, ...) {
  ++g_handled;
  g_handled_comm = *comm;
  g_handled_code = *code;
}

void show_handled(const char* what, MPI_Comm expected) {
  line("%s: handled %d, on the right one: %s, %s", what, g_handled,
       yes(g_handled_comm == expected), name_of_error(g_handled_code).c_str());
  g_handled = 0;
  g_handled_comm = MPI_COMM_NULL;
  g_handled_code = MPI_SUCCESS;
}

CASE(handler_is_called_once) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(kWorld, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  g_handled = 0;
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, comm);
  show_handled("send", comm);
  MPI_Recv(g_in, 1, MPI_INT, 1000, 0, comm, MPI_STATUS_IGNORE);
  show_handled("recv", comm);
  MPI_Bcast(g_in, 1, MPI_INT, 1000, comm);
  show_handled("bcast", comm);
  MPI_Allreduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, comm);
  show_handled("allreduce", comm);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(g_in, -1, MPI_INT, 0, 0, comm, &request);
  show_handled("irecv", comm);
  MPI_Ibarrier(comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  show_handled("nothing wrong", MPI_COMM_NULL);
  use("then", comm);
  show_handled("nothing wrong", MPI_COMM_NULL);
  MPI_Errhandler_free(&handler);
  line("null: %s", yes(handler == MPI_ERRHANDLER_NULL));
  MPI_Comm_free(&comm);
}

CASE(handler_of_one_process) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(kWorld, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  g_handled = 0;
  if (rank() == 0) MPI_Allreduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, comm);
  show_handled("allreduce", comm);
  use("then", comm);
  if (rank() == size() - 1) MPI_Bcast(g_in, 1, MPI_INT, -50, comm);
  show_handled("bcast", comm);
  use("then", comm);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

CASE(handler_of_truncation) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(kWorld, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  g_handled = 0;
  for (int i = 0; i < 3; ++i) {
    MPI_Request requests[2];
#if defined(OPEN_MPI)  // in MPICH 4.0 the error is that of the world
    MPI_Irecv(g_in, 2, MPI_INT, previous(), 1, comm, &requests[0]);
    MPI_Isend(g_out, 9, MPI_INT, next(), 1, comm, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    show_handled("wait", comm);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    show_handled("send", MPI_COMM_NULL);
#endif
    MPI_Isend(g_out, 9, MPI_INT, next(), 1, comm, &requests[1]);
    MPI_Recv(g_in, 2, MPI_INT, previous(), 1, comm, MPI_STATUS_IGNORE);
    show_handled("recv", comm);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

CASE(handler_is_inherited_by_copies) {
  MPI_Errhandler handler;
  MPI_Comm parent;
  MPI_Comm child;
  MPI_Comm_dup(kWorld, &parent);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(parent, handler);
  g_handled = 0;
  MPI_Comm_dup(parent, &child);
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, child);
  show_handled("dup", child);
  MPI_Comm_free(&child);
  MPI_Comm_split(parent, 0, rank(), &child);
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, child);
  show_handled("split", child);
  MPI_Errhandler of_child;
  MPI_Comm_get_errhandler(child, &of_child);
  line("same: %s", yes(of_child == handler));
  MPI_Errhandler_free(&of_child);
  MPI_Comm_free(&child);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&parent);
}

CASE(call_errhandler) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(kWorld, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  g_handled = 0;
  show("code", MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
  show_handled("called", comm);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

CASE(handler_that_communicates) {
  // A handler may use MPI itself.
  struct Local {
    static void handler(MPI_Comm*, int*, ...) {
      ++g_handled;
      int in = -1;
      const int out = 3;
      MPI_Sendrecv(&out, 1, MPI_INT, 0, 2, &in, 1, MPI_INT, 0, 2, MPI_COMM_SELF,
                   MPI_STATUS_IGNORE);
      line("in the handler: %d", in);
    }
  };
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(kWorld, &comm);
  MPI_Comm_create_errhandler(Local::handler, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  g_handled = 0;
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, comm);
  line("handled %d", g_handled);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

CASE(user_classes_and_codes) {
  int error_class = -1;
  int code = -1;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &code);
  MPI_Add_error_string(code, "an error of the program");
  int got = -1;
  MPI_Error_class(code, &got);
  line("class is mine: %s", yes(got == error_class));
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  line("%d: %s", length, text);
  int* last = nullptr;
  int found = 0;
  MPI_Comm_get_attr(kWorld, MPI_LASTUSEDCODE, &last, &found);
  line("last used: %s", yes(found != 0 && *last >= code));
}

CASE(last_used_code) {
  int* last = nullptr;
  int found = 0;
  MPI_Comm_get_attr(kWorld, MPI_LASTUSEDCODE, &last, &found);
  line("found %d, %d", found, found != 0 ? *last : -1);
}

CASE(error_strings) {
  for (int error_class = 0; error_class < 20; ++error_class) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(error_class, text, &length);
    line("%s", text);
  }
}

// ---- those that end the program ---------------------------------------------

ALONE_CASE(fatal_on_all, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD);
  line("not reached");
}

ALONE_CASE(fatal_truncation, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  MPI_Request request;
  MPI_Irecv(g_in, 1, MPI_INT, previous(), 0, MPI_COMM_WORLD, &request);
  MPI_Send(g_out, 10, MPI_INT, next(), 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  line("not reached");
}

ALONE_CASE(fatal_in_a_collective, 2, "dies") {
  MPI_Init(nullptr, nullptr);
  MPI_Allreduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
  line("not reached");
}

}  // namespace
