// Requests that are freed or cancelled.
#include "completion.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "completion";

CASE(free_of_an_active_send) {
  const int out = rank() * 3;
  MPI_Request request;
  for (int i = 0; i < 5; ++i) {
    MPI_Isend(&out, 1, MPI_INT, next(), i, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    line("null: %s", yes(request == MPI_REQUEST_NULL));
    int in = -1;
    MPI_Recv(&in, 1, MPI_INT, previous(), i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line("value %d", in);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

CASE(free_of_an_active_receive) {
  // A later message shows that the first one has arrived.
  int first = -1;
  int second = -1;
  MPI_Request request;
  MPI_Irecv(&first, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  line("null: %s", yes(request == MPI_REQUEST_NULL));
  const int out[2] = {rank() + 10, rank() + 20};
  MPI_Request sends[2];
  MPI_Isend(&out[0], 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(&out[1], 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &sends[1]);
  Status status;
  MPI_Recv(&second, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &status);
  show("second", status);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  line("values %d %d", first, second);
  // The stream continues normally.
  for (int i = 0; i < 5; ++i) {
    int in = -1;
    MPI_Sendrecv(&i, 1, MPI_INT, next(), 1, &in, 1, MPI_INT, previous(), 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line("value %d", in);
  }
}

CASE(free_of_many_receives) {
  constexpr int kCount = 30;
  Ints in(kCount, -1);
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Request request;
    MPI_Irecv(&in[i], 1, MPI_INT, i % 2 == 0 ? previous() : MPI_ANY_SOURCE,
              i % 3 == 0 ? MPI_ANY_TAG : 2, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  for (int i = 0; i < kCount; ++i) {
    MPI_Ssend(&i, 1, MPI_INT, next(), 2, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int last = -1;
  MPI_Sendrecv(in.data(), 1, MPI_INT, next(), 2, &last, 1, MPI_INT, previous(),
               2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("checksum %u, last %d", checksum(in), last);
}

CASE(free_of_a_null_request) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  ErrorsReturn errors_self(MPI_COMM_SELF);
  MPI_Request null = MPI_REQUEST_NULL;
  show("free", MPI_Request_free(&null));
  use("afterwards", MPI_COMM_WORLD);
}

CASE(cancel_of_a_receive) {
  for (const int tag : {5, MPI_ANY_TAG}) {
    for (const bool any : {false, true}) {
      int in = -1;
      MPI_Request request;
      Status status;
      MPI_Irecv(&in, 1, MPI_INT, any ? MPI_ANY_SOURCE : previous(), tag,
                MPI_COMM_WORLD, &request);
      show("cancel", MPI_Cancel(&request));
      show("wait", MPI_Wait(&request, &status));
      int cancelled = -1;
      MPI_Test_cancelled(&status, &cancelled);
      line("cancelled %d, null %s", cancelled,
           yes(request == MPI_REQUEST_NULL));
      MPI_Barrier(MPI_COMM_WORLD);
      const int out = rank() + 50;
      MPI_Sendrecv(&out, 1, MPI_INT, next(), 5, &in, 1, MPI_INT, previous(), 5,
                   MPI_COMM_WORLD, &status);
      show("received again", status);
      line("value %d", in);
    }
  }
}

CASE(cancel_status_ignored) {
  int in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  const int out = rank() + 50;
  MPI_Sendrecv(&out, 1, MPI_INT, next(), 5, &in, 1, MPI_INT, previous(), 5,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("value %d", in);
}

CASE(cancel_and_free) {
  int in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Barrier(MPI_COMM_WORLD);
  const int out = rank() + 60;
  int again = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, next(), 5, &again, 1, MPI_INT, previous(), 5,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("values %d %d", in, again);
}

CASE(cancel_of_some_among_many) {
  constexpr size_t kCount = 12;
  std::vector<MPI_Request> requests(kCount);
  std::vector<Status> statuses(kCount);
  Ints in(kCount, -1);
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, previous(), 9, MPI_COMM_WORLD, &requests[i]);
  }
  for (size_t i = 1; i < kCount; i += 2) MPI_Cancel(&requests[i]);
  // All are cancelled before anything is sent.
  for (size_t i = 1; i < kCount; i += 2) MPI_Wait(&requests[i], &statuses[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < static_cast<int>(kCount) / 2; ++i) {
    MPI_Send(&i, 1, MPI_INT, next(), 9, MPI_COMM_WORLD);
  }
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  for (size_t i = 1; i < kCount; i += 2) {
    int cancelled = -1;
    MPI_Test_cancelled(&statuses[i], &cancelled);
    line("cancelled %d", cancelled);
  }
  show("values", in);
}

CASE(cancel_of_a_completed_receive) {
  int in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &request);
  const int out = rank() + 70;
  MPI_Ssend(&out, 1, MPI_INT, next(), 5, MPI_COMM_WORLD);
  int flag = 0;
  while (flag == 0) {
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Cancel(&request);
  Status status;
  MPI_Wait(&request, &status);
  show("status", status);
  line("value %d", in);
  int again = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, next(), 5, &again, 1, MPI_INT, previous(), 5,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  line("value %d", again);
}

CASE(cancel_of_a_persistent_receive) {
  int in = -1;
  MPI_Request request;
  Status status;
  MPI_Recv_init(&in, 1, MPI_INT, previous(), 5, MPI_COMM_WORLD, &request);
  for (int round = 0; round < 3; ++round) {
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    int cancelled = -1;
    MPI_Test_cancelled(&status, &cancelled);
    line("cancelled %d, null %s", cancelled, yes(request == MPI_REQUEST_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&request);
    const int out = rank() + 80 + round;
    MPI_Send(&out, 1, MPI_INT, next(), 5, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    show("status", status);
    line("value %d", in);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&request);
}

}  // namespace
