// Messages: every kind of send to every kind of receive, and to no process.
#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "pt2pt";

// ---- kinds of send ----------------------------------------------------------

constexpr size_t kBuffered = 20000 * sizeof(int) * 3;

CASE(send) { around_the_ring(blocking(MPI_Send)); }

CASE(ssend) { around_the_ring(blocking(MPI_Ssend)); }

CASE(bsend) {
  BsendBuffer buffer(kBuffered);
  around_the_ring(blocking(MPI_Bsend));
}

CASE(rsend) { around_the_ring_ready(blocking(MPI_Rsend)); }

CASE(isend) { around_the_ring(nonblocking(MPI_Isend)); }

CASE(issend) { around_the_ring(nonblocking(MPI_Issend)); }

CASE(ibsend) {
  BsendBuffer buffer(kBuffered);
  around_the_ring(nonblocking(MPI_Ibsend));
}

CASE(irsend) { around_the_ring_ready(nonblocking(MPI_Irsend)); }

CASE(send_init) { around_the_ring(persistent(MPI_Send_init)); }

CASE(ssend_init) { around_the_ring(persistent(MPI_Ssend_init)); }

CASE(bsend_init) {
  BsendBuffer buffer(kBuffered);
  around_the_ring(persistent(MPI_Bsend_init));
}

CASE(rsend_init) { around_the_ring_ready(persistent(MPI_Rsend_init)); }

CASE(send_on_a_duplicate) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  around_the_ring(blocking(MPI_Send), comm);
  MPI_Comm_free(&comm);
}

CASE(send_on_self) {
  for (int i = 0; i < 3; ++i) {
    int in = -1;
    const int out = rank() * 10 + i;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, 0, i, MPI_COMM_SELF, &request);
    MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    Status status;
    MPI_Wait(&request, &status);
    show("self", status);
    line("value %d", in);
  }
}

// ---- combined ---------------------------------------------------------------

CASE(sendrecv_different_sizes) {
  const Ints out = numbers(rank() + 1, rank());
  Ints in(static_cast<size_t>(size()) + 1, -1);
  Status status;
  MPI_Sendrecv(out.data(), rank() + 1, MPI_INT, next(), rank(), in.data(),
               size() + 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
               &status);
  show("status", status);
  show("data", in);
}

CASE(sendrecv_status_ignored) {
  int in = -1;
  const int out = rank();
  MPI_Sendrecv(&out, 1, MPI_INT, next(), 4, &in, 1, MPI_INT, previous(), 4,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("value %d", in);
  MPI_Sendrecv_replace(&in, 1, MPI_INT, next(), 4, previous(), 4,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("value %d", in);
}

CASE(sendrecv_and_plain_calls) {
  // A combined call meets separate ones.
  int in = -1;
  const int out = rank();
  Status status;
  if (rank() % 2 == 0) {
    MPI_Sendrecv(&out, 1, MPI_INT, next(), 1, &in, 1, MPI_INT, previous(), 1,
                 MPI_COMM_WORLD, &status);
  } else {
    MPI_Recv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &status);
    MPI_Send(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD);
  }
  show("status", status);
  line("value %d", in);
}

// ---- no process -------------------------------------------------------------

CASE(proc_null_send) {
  const int value = 1;
  BsendBuffer buffer(4096);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int none = MPI_PROC_NULL;
  show("send", MPI_Send(&value, 1, MPI_INT, none, 0, world));
  show("ssend", MPI_Ssend(&value, 1, MPI_INT, none, 0, world));
  show("rsend", MPI_Rsend(&value, 1, MPI_INT, none, 0, world));
  show("bsend", MPI_Bsend(&value, 1, MPI_INT, none, 0, world));
  show("send nothing", MPI_Send(nullptr, 0, MPI_INT, none, 0, world));
  MPI_Request r[8];
  MPI_Isend(&value, 1, MPI_INT, none, 0, world, &r[0]);
  MPI_Issend(&value, 1, MPI_INT, none, 0, world, &r[1]);
  MPI_Irsend(&value, 1, MPI_INT, none, 0, world, &r[2]);
  MPI_Ibsend(&value, 1, MPI_INT, none, 0, world, &r[3]);
  MPI_Send_init(&value, 1, MPI_INT, none, 0, world, &r[4]);
  MPI_Ssend_init(&value, 1, MPI_INT, none, 0, world, &r[5]);
  MPI_Rsend_init(&value, 1, MPI_INT, none, 0, world, &r[6]);
  MPI_Bsend_init(&value, 1, MPI_INT, none, 0, world, &r[7]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(4, r + 4);
    show("wait", MPI_Waitall(8, r, MPI_STATUSES_IGNORE));
  }
  for (int i = 4; i < 8; ++i) MPI_Request_free(&r[i]);
  for (int i = 0; i < 8; ++i) line("null: %s", yes(r[i] == MPI_REQUEST_NULL));
}

CASE(proc_null_receive) {
  int value = 5;
  Status status;
  const MPI_Comm world = MPI_COMM_WORLD;
  show("recv", MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, world, &status));
  show("status", status);
  line("tag any: %s", yes(status.MPI_TAG == MPI_ANY_TAG));
  line("proc null: %s", yes(status.MPI_SOURCE == MPI_PROC_NULL));
  MPI_Recv(nullptr, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world,
           MPI_STATUS_IGNORE);
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world, &request);
  MPI_Wait(&request, &status);
  show("irecv", status);
  MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 3, world, &request);
  for (int round = 0; round < 3; ++round) {
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    show("persistent", status);
  }
  MPI_Request_free(&request);
  MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT,
               MPI_PROC_NULL, 0, world, &status);
  show("sendrecv", status);
  line("value %d", value);
}

CASE(proc_null_probe) {
  Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = -1;
  int value = 9;
  MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  show("probe", status);
  MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status);
  show("iprobe", status);
  line("flag %d", flag);
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
  show("mprobe", status);
  line("no proc: %s", yes(message == MPI_MESSAGE_NO_PROC));
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  show("mrecv", status);
  line("null: %s", yes(message == MPI_MESSAGE_NULL));
  flag = -1;
  MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message,
              MPI_STATUS_IGNORE);
  line("flag %d, no proc: %s", flag, yes(message == MPI_MESSAGE_NO_PROC));
  MPI_Request request;
  MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
  line("null: %s", yes(message == MPI_MESSAGE_NULL));
  MPI_Wait(&request, &status);
  show("imrecv", status);
  line("value %d", value);
}

}  // namespace
