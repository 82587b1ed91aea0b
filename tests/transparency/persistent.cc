// Persistent messages: inactive, freed, cut short. Random programs
// (tests/chaos) start them often, and complete them in every form.
#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "persistent";

struct Pair {
  Pair() {
    MPI_Recv_init(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[1]);
  }
  ~Pair() {
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    line("null: %s", yes(requests[0] == MPI_REQUEST_NULL &&
                         requests[1] == MPI_REQUEST_NULL));
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  int in = -1;
  int out = rank();
  MPI_Request requests[2];
};

void inactive(MPI_Request* requests) {
  Status statuses[2];
  int flag = -1;
  int index = -1;
  int indices[2];
  const auto empty = [&](const char* what) {
    line("%s: any source %s, any tag %s, error %s", what,
         yes(statuses[0].MPI_SOURCE == MPI_ANY_SOURCE),
         yes(statuses[0].MPI_TAG == MPI_ANY_TAG),
         name_of_error(statuses[0].MPI_ERROR).c_str());
    for (Status& status : statuses) {
      status.MPI_SOURCE = status.MPI_TAG = 99;
      status.MPI_ERROR = MPI_SUCCESS;
    }
  };
  show("wait", MPI_Wait(&requests[0], &statuses[0]));
  empty("wait");
  show("wait", MPI_Wait(&requests[1], &statuses[0]));
  empty("wait");
  show("test", MPI_Test(&requests[0], &flag, &statuses[0]));
  line("flag %d", flag);
  empty("test");
  show("waitall", MPI_Waitall(2, requests, statuses));
  empty("waitall");
  show("testall", MPI_Testall(2, requests, &flag, statuses));
  line("flag %d", flag);
  empty("testall");
  show("waitany", MPI_Waitany(2, requests, &index, statuses));
  line("index %s", text_of_index(index).c_str());
  empty("waitany");
  show("testany", MPI_Testany(2, requests, &index, &flag, statuses));
  line("index %s, flag %d", text_of_index(index).c_str(), flag);
  empty("testany");
  show("waitsome", MPI_Waitsome(2, requests, &index, indices, statuses));
  line("count %s", text_of_index(index).c_str());
  show("testsome", MPI_Testsome(2, requests, &index, indices, statuses));
  line("count %s", text_of_index(index).c_str());
  show("get_status", MPI_Request_get_status(requests[0], &flag, &statuses[0]));
  line("flag %d", flag);
  empty("get_status");
  show("ignored", MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  show("ignored", MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  line("null: %s", yes(requests[0] == MPI_REQUEST_NULL));
}

CASE(inactive_before_the_first_start) {
  Pair pair;
  inactive(pair.requests);
}

CASE(inactive_after_completion) {
  Pair pair;
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(2, pair.requests);
    MPI_Waitall(2, pair.requests, MPI_STATUSES_IGNORE);
    inactive(pair.requests);
  }
}

CASE(inactive_among_active) {
  Pair pair;
  int in = -1;
  const int out = rank() + 5;
  for (int round = 0; round < 5; ++round) {
    MPI_Request all[4] = {pair.requests[0], MPI_REQUEST_NULL, pair.requests[1],
                          MPI_REQUEST_NULL};
    MPI_Irecv(&in, 1, MPI_INT, previous(), 7, MPI_COMM_WORLD, &all[3]);
    MPI_Send(&out, 1, MPI_INT, next(), 7, MPI_COMM_WORLD);
    int index = -1;
    Status status;
    if (round % 2 == 0) {
      MPI_Waitany(4, all, &index, &status);
    } else {
      int count = -1;
      MPI_Waitsome(4, all, &count, &index, &status);
      line("count %d", count);
    }
    line("index %d, value %d", index, in);
    show("status", status);
  }
}

CASE(any_source_and_tag) {
  int in = -1;
  MPI_Request request;
  MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                &request);
  for (int round = 0; round < 5; ++round) {
    MPI_Start(&request);
    const int out = rank() * 10 + round;
    MPI_Send(&out, 1, MPI_INT, next(), round, MPI_COMM_WORLD);
    Status status;
    MPI_Wait(&request, &status);
    show("status", status);
    line("value %d", in);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&request);
}

CASE(many_at_once) {
  constexpr size_t kCount = 100;
  Ints in(kCount, -1);
  Ints out = numbers(kCount, rank() * 1000);
  std::vector<MPI_Request> requests(2 * kCount);
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Recv_init(&in[i], 1, MPI_INT, previous(), static_cast<int>(i % 3),
                  MPI_COMM_WORLD, &requests[i]);
    const auto init = i % 4 == 0 ? MPI_Ssend_init : MPI_Send_init;
    init(&out[i], 1, MPI_INT, next(), static_cast<int>(i % 3), MPI_COMM_WORLD,
         &requests[kCount + i]);
  }
  for (int round = 0; round < 10; ++round) {
    for (int& v : out) v += round;
    MPI_Startall(2 * kCount, requests.data());
    MPI_Waitall(2 * kCount, requests.data(), MPI_STATUSES_IGNORE);
    line("checksum %u", checksum(in));
  }
  for (MPI_Request& r : requests) MPI_Request_free(&r);
}

CASE(freed_while_active) {
  // The send is completed by MPI itself.
  for (int round = 0; round < 3; ++round) {
    const int out = rank() + round;
    int in = -1;
    MPI_Request request;
    MPI_Send_init(&out, 1, MPI_INT, next(), 2, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Request_free(&request);
    line("null: %s", yes(request == MPI_REQUEST_NULL));
    MPI_Recv(&in, 1, MPI_INT, previous(), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line("value %d", in);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

CASE(freed_without_start) {
  for (int i = 0; i < 1000; ++i) {
    MPI_Request requests[2];
    int value = 0;
    MPI_Send_init(&value, 1, MPI_INT, next(), 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&value, 1, MPI_INT, previous(), 2, MPI_COMM_WORLD,
                  &requests[1]);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
  use("afterwards", MPI_COMM_WORLD);
}

CASE(persistent_meets_others) {
  // A persistent send is received by a plain receive, and the other way round.
  Pair pair;
  for (int round = 0; round < 4; ++round) {
    int in = -1;
    pair.out = rank() + round;
    MPI_Start(&pair.requests[1]);
    MPI_Recv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&pair.requests[1], MPI_STATUS_IGNORE);
    line("plain receive %d", in);
    MPI_Start(&pair.requests[0]);
    MPI_Send(&round, 1, MPI_INT, next(), 1, MPI_COMM_WORLD);
    MPI_Wait(&pair.requests[0], MPI_STATUS_IGNORE);
    line("plain send %d", pair.in);
  }
}

CASE(ready_and_synchronous) {
  int in = -1;
  const int out = rank();
  MPI_Request receive;
  MPI_Request sends[2];
  MPI_Recv_init(&in, 1, MPI_INT, previous(), 3, MPI_COMM_WORLD, &receive);
  MPI_Rsend_init(&out, 1, MPI_INT, next(), 3, MPI_COMM_WORLD, &sends[0]);
  MPI_Ssend_init(&out, 1, MPI_INT, next(), 3, MPI_COMM_WORLD, &sends[1]);
  for (int round = 0; round < 6; ++round) {
    MPI_Start(&receive);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&sends[round % 2]);
    Status status;
    MPI_Wait(&receive, &status);
    MPI_Wait(&sends[round % 2], MPI_STATUS_IGNORE);
    show("status", status);
  }
  MPI_Request_free(&receive);
  MPI_Request_free(&sends[0]);
  MPI_Request_free(&sends[1]);
}

CASE(truncated_and_started_again) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  Ints in(10, -1);
  const Ints out = numbers(10, rank());
  MPI_Request request;
  MPI_Recv_init(in.data(), 3, MPI_INT, previous(), 3, MPI_COMM_WORLD, &request);
  for (const int count : {2, 7, 3}) {
    MPI_Start(&request);
    MPI_Send(out.data(), count, MPI_INT, next(), 3, MPI_COMM_WORLD);
    Status status;
    show("wait", MPI_Wait(&request, &status));
    line("null: %s", yes(request == MPI_REQUEST_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  use("afterwards", MPI_COMM_WORLD);
}

CASE(communicator_freed_first) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int in = -1;
  const int out = rank() + 30;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, previous(), 3, comm, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, next(), 3, comm, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Comm_free(&comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  line("value %d", in);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

}  // namespace
