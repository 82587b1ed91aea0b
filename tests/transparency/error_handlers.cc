// Handlers of errors: the program's own, and those that end the program.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "errors";

int g_in[64];
const int g_out[64] = {};
const MPI_Comm kWorld = MPI_COMM_WORLD;

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

// A copy of the world with a handler of its own.
struct Handled {
  explicit Handled(MPI_Comm_errhandler_function* function = handle) {
    MPI_Comm_dup(kWorld, &comm);
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    g_handled = 0;
  }
  ~Handled() {
    MPI_Errhandler_free(&handler);
    line("null: %s", yes(handler == MPI_ERRHANDLER_NULL));
    MPI_Comm_free(&comm);
  }
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;

  MPI_Errhandler handler;
  MPI_Comm comm;
};

CASE(handler_is_called_once) {
  const Handled handled;
  const MPI_Comm comm = handled.comm;
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
}

CASE(handler_of_one_process) {
  const Handled handled;
  const MPI_Comm comm = handled.comm;
  if (rank() == 0) MPI_Allreduce(g_out, g_in, 1, MPI_INT, MPI_OP_NULL, comm);
  show_handled("allreduce", comm);
  use("then", comm);
  if (rank() == size() - 1) MPI_Bcast(g_in, 1, MPI_INT, -50, comm);
  show_handled("bcast", comm);
  use("then", comm);
}

CASE(handler_of_truncation) {
  const Handled handled;
  const MPI_Comm comm = handled.comm;
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
}

CASE(handler_is_inherited_by_copies) {
  const Handled handled;
  const MPI_Comm parent = handled.comm;
  MPI_Comm child;
  MPI_Comm_dup(parent, &child);
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, child);
  show_handled("dup", child);
  MPI_Comm_free(&child);
  MPI_Comm_split(parent, 0, rank(), &child);
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, child);
  show_handled("split", child);
  MPI_Errhandler of_child;
  MPI_Comm_get_errhandler(child, &of_child);
  line("same: %s", yes(of_child == handled.handler));
  MPI_Errhandler_free(&of_child);
  MPI_Comm_free(&child);
}

CASE(call_errhandler) {
  const Handled handled;
  const MPI_Comm comm = handled.comm;
  show("code", MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
  show_handled("called", comm);
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
  const Handled handled(Local::handler);
  const MPI_Comm comm = handled.comm;
  MPI_Send(g_out, 1, MPI_INT, 1000, 0, comm);
  line("handled %d", g_handled);
}

CASE(last_used_code) {
  int* last = nullptr;
  int found = 0;
  MPI_Comm_get_attr(kWorld, MPI_LASTUSEDCODE, &last, &found);
  line("found %d, %d", found, found != 0 ? *last : -1);
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
