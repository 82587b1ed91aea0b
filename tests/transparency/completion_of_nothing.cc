// Wait and Test with null requests and with none, and with very many; requests
// that are looked at without being completed.
#include "completion.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "completion";

CASE(null_request) {
  MPI_Request null = MPI_REQUEST_NULL;
  Status status = spoiled();
  int flag = -1;
  show("wait", MPI_Wait(&null, &status));
  show_empty("wait", status);
  status = spoiled();
  show("test", MPI_Test(&null, &flag, &status));
  line("flag %d", flag);
  show_empty("test", status);
  status = spoiled();
  flag = -1;
  show("get_status", MPI_Request_get_status(null, &flag, &status));
  line("flag %d", flag);
  show_empty("get_status", status);
  MPI_Wait(&null, MPI_STATUS_IGNORE);
  MPI_Test(&null, &flag, MPI_STATUS_IGNORE);
  MPI_Request_get_status(null, &flag, MPI_STATUS_IGNORE);
}

CASE(null_requests) {
  for (const size_t count : {size_t{1}, size_t{7}}) {
    std::vector<MPI_Request> null(count, MPI_REQUEST_NULL);
    std::vector<Status> statuses(count, spoiled());
    Ints indices(count, -9);
    int flag = -1;
    int index = -1;
    const int n = as_int(count);
    show("waitall", MPI_Waitall(n, null.data(), statuses.data()));
    for (const Status& status : statuses) show_empty("waitall", status);
    statuses.assign(count, spoiled());
    show("testall", MPI_Testall(n, null.data(), &flag, statuses.data()));
    line("flag %d", flag);
    for (const Status& status : statuses) show_empty("testall", status);
    statuses[0] = spoiled();
    show("waitany", MPI_Waitany(n, null.data(), &index, statuses.data()));
    line("index %s", text_of_index(index).c_str());
    show_empty("waitany", statuses[0]);
    statuses[0] = spoiled();
    flag = -1;
    show("testany",
         MPI_Testany(n, null.data(), &index, &flag, statuses.data()));
    line("index %s, flag %d", text_of_index(index).c_str(), flag);
    show_empty("testany", statuses[0]);
    show("waitsome",
         MPI_Waitsome(n, null.data(), &index, indices.data(), statuses.data()));
    line("count %s", text_of_index(index).c_str());
    index = -1;
    show("testsome",
         MPI_Testsome(n, null.data(), &index, indices.data(), statuses.data()));
    line("count %s", text_of_index(index).c_str());
    MPI_Waitall(n, null.data(), MPI_STATUSES_IGNORE);
    MPI_Waitany(n, null.data(), &index, MPI_STATUS_IGNORE);
    MPI_Testany(n, null.data(), &index, &flag, MPI_STATUS_IGNORE);
    MPI_Waitsome(n, null.data(), &index, indices.data(), MPI_STATUSES_IGNORE);
    line("count %s", text_of_index(index).c_str());
  }
}

CASE(no_requests) {
  // Arrays of no requests may be null.
  int flag = -1;
  int index = -1;
  Status status = spoiled();
  show("waitall", MPI_Waitall(0, nullptr, nullptr));
  show("waitall", MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE));
  show("testall", MPI_Testall(0, nullptr, &flag, nullptr));
  line("flag %d", flag);
  show("waitany", MPI_Waitany(0, nullptr, &index, &status));
  line("index %s", text_of_index(index).c_str());
  show_empty("waitany", status);
  status = spoiled();
  flag = -1;
  show("testany", MPI_Testany(0, nullptr, &index, &flag, &status));
  line("index %s, flag %d", text_of_index(index).c_str(), flag);
  show_empty("testany", status);
  show("waitsome", MPI_Waitsome(0, nullptr, &index, nullptr, nullptr));
  line("count %s", text_of_index(index).c_str());
  show("testsome", MPI_Testsome(0, nullptr, &index, nullptr, nullptr));
  line("count %s", text_of_index(index).c_str());
#if !defined(OPEN_MPI)  // Open MPI takes it for an error
  show("startall", MPI_Startall(0, nullptr));
#endif
}

CASE(no_requests_while_one_is_pending) {
  // The same while the tool has a pending request to look for.
  int in = -1;
  MPI_Request pending;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 0, MPI_COMM_WORLD, &pending);
  int flag = -1;
  int index = -1;
  show("waitall", MPI_Waitall(0, nullptr, nullptr));
  show("testall", MPI_Testall(0, nullptr, &flag, nullptr));
  show("waitany", MPI_Waitany(0, nullptr, &index, MPI_STATUS_IGNORE));
  line("index %s", text_of_index(index).c_str());
  show("testany", MPI_Testany(0, nullptr, &index, &flag, MPI_STATUS_IGNORE));
  show("waitsome", MPI_Waitsome(0, nullptr, &index, nullptr, nullptr));
  line("count %s", text_of_index(index).c_str());
  MPI_Request null[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  Status statuses[3] = {spoiled(), spoiled(), spoiled()};
  MPI_Waitall(3, null, statuses);
  for (const Status& status : statuses) show_empty("null", status);
  MPI_Testany(3, null, &index, &flag, statuses);
  line("index %s, flag %d", text_of_index(index).c_str(), flag);
  const int out = 4;
  MPI_Send(&out, 1, MPI_INT, next(), 0, MPI_COMM_WORLD);
  MPI_Wait(&pending, MPI_STATUS_IGNORE);
  line("value %d", in);
}

CASE(a_million_null_requests) {
  std::vector<MPI_Request> null(1000000, MPI_REQUEST_NULL);
  int in = -1;
  MPI_Irecv(&in, 1, MPI_INT, previous(), 0, MPI_COMM_WORLD, &null[777777]);
  const int out = rank();
  MPI_Send(&out, 1, MPI_INT, next(), 0, MPI_COMM_WORLD);
  Status status;
  int index = -1;
  MPI_Waitany(1000000, null.data(), &index, &status);
  line("index %d, value %d", index, in);
  show("status", status);
  MPI_Irecv(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &null[5]);
  MPI_Send(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD);
  show("ignored", MPI_Waitall(1000000, null.data(), MPI_STATUSES_IGNORE));
  std::vector<Status> statuses(1000000);
  show("statuses", MPI_Waitall(1000000, null.data(), statuses.data()));
  show_empty("last", statuses[999999]);
  Ints indices(1000000);
  MPI_Testsome(1000000, null.data(), &index, indices.data(),
               MPI_STATUSES_IGNORE);
  line("count %s", text_of_index(index).c_str());
}

CASE(a_hundred_thousand_receives) {
  constexpr int kCount = 100000;
  std::vector<MPI_Request> requests(kCount);
  Ints in(kCount, -1);
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, previous(), 3, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < kCount; ++i) {
    MPI_Send(&i, 1, MPI_INT, next(), 3, MPI_COMM_WORLD);
  }
  MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
  line("checksum %u", checksum(in));
}

CASE(thousands_of_sends_completed_together) {
  constexpr int kCount = 20000;
  std::vector<MPI_Request> requests(kCount);
  const Ints out = numbers(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Isend(&out[i], 1, MPI_INT, next(), 3, MPI_COMM_WORLD, &requests[i]);
  }
  Ints in(kCount, -1);
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Recv(&in[i], 1, MPI_INT, previous(), 3, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  std::vector<Status> statuses(kCount);
  MPI_Waitall(kCount, requests.data(), statuses.data());
  line("checksum %u", checksum(in));
}

CASE(request_get_status) {
  Ring ring(4);
  ring.post();
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  Status status;
  MPI_Request_get_status(ring.receives[0], &flag, &status);
  line("before: %d", flag);
  MPI_Barrier(MPI_COMM_WORLD);
  ring.send();
  for (size_t i = 0; i < ring.count; ++i) {
    for (flag = 0; flag == 0;) {
      MPI_Request_get_status(ring.receives[i], &flag,
                             i == 2 ? MPI_STATUS_IGNORE : &status);
    }
    if (i != 2) show("seen", status);
    line("null: %s", yes(ring.receives[i] == MPI_REQUEST_NULL));
    // Once more, then completes it.
    MPI_Request_get_status(ring.receives[i], &flag, &status);
    line("again: %d", flag);
    show("seen", status);
    MPI_Wait(&ring.receives[i], &status);
    show("waited", status);
  }
  ring.finish();
}

CASE(request_get_status_of_sends) {
  RingUnderWay ring(3);
  for (MPI_Request& r : ring.sends) {
    for (int flag = 0; flag == 0;) {
      MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
    }
    line("null: %s", yes(r == MPI_REQUEST_NULL));
  }
  MPI_Waitall(3, ring.receives.data(), MPI_STATUSES_IGNORE);
  ring.finish();
}

}  // namespace
