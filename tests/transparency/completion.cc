// Wait and Test in all their forms, with whatever requests may be given.
#include "transparency.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "completion";

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

  size_t count;
  std::vector<Ints> in;
  Ints out;
  std::vector<MPI_Request> receives;
  std::vector<MPI_Request> sends;
  std::vector<Status> statuses;
};

int as_int(size_t n) { return static_cast<int>(n); }

bool all_null(const std::vector<MPI_Request>& requests) {
  for (const MPI_Request r : requests) {
    if (r != MPI_REQUEST_NULL) return false;
  }
  return true;
}

// The status of an inactive request.
void show_empty(const char* what, const MPI_Status& status) {
  show_with_error(what, status);
  line("%s: empty: %s", what,
       yes(status.MPI_SOURCE == MPI_ANY_SOURCE &&
           status.MPI_TAG == MPI_ANY_TAG));
}

Status spoiled() {
  Status status;
  status.MPI_SOURCE = status.MPI_TAG = 99;
  status.MPI_ERROR = MPI_SUCCESS;
  return status;
}

// ---- each form, with and without statuses -----------------------------------

CASE(wait) {
  Ring ring(10);
  ring.post();
  ring.send();
  for (size_t i = 0; i < ring.count; ++i) {
    show("wait", MPI_Wait(&ring.receives[i], &ring.statuses[i]));
    show("status", ring.statuses[i]);
  }
  line("null: %s", yes(all_null(ring.receives)));
  ring.finish_sends();
  ring.show_data();
}

CASE(wait_in_reverse) {
  Ring ring(10);
  ring.post();
  ring.send();
  for (size_t i = ring.count; i-- > 0;) {
    MPI_Wait(&ring.receives[i], &ring.statuses[i]);
    show("status", ring.statuses[i]);
  }
  ring.finish_sends();
  ring.show_data();
}

CASE(wait_status_ignored) {
  Ring ring(6);
  ring.post();
  ring.send();
  for (MPI_Request& r : ring.receives) MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (MPI_Request& r : ring.sends) MPI_Wait(&r, MPI_STATUS_IGNORE);
  line("null: %s", yes(all_null(ring.receives) && all_null(ring.sends)));
  ring.show_data();
}

CASE(wait_of_a_send) {
  Ring ring(4);
  ring.post();
  ring.send();
  for (MPI_Request& r : ring.sends) {
    Status status = spoiled();
    show("code", MPI_Wait(&r, &status));
    int cancelled = -1;
    MPI_Test_cancelled(&status, &cancelled);
    line("cancelled %d", cancelled);
  }
  MPI_Waitall(as_int(ring.count), ring.receives.data(), MPI_STATUSES_IGNORE);
  ring.show_data();
}

CASE(test_until_done) {
  Ring ring(8);
  ring.post();
  ring.send();
  for (size_t i = 0; i < ring.count; ++i) {
    int flag = 0;
    while (flag == 0) MPI_Test(&ring.receives[i], &flag, &ring.statuses[i]);
    show("status", ring.statuses[i]);
  }
  line("null: %s", yes(all_null(ring.receives)));
  ring.finish_sends();
  ring.show_data();
}

CASE(test_not_done) {
  Ring ring(3);
  ring.post();
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) {
    int flag = -1;
    Status status = spoiled();
    MPI_Test(&ring.receives[1], &flag, &status);
    line("flag %d, null %s", flag, yes(ring.receives[1] == MPI_REQUEST_NULL));
    MPI_Test(&ring.receives[1], &flag, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  ring.send();
  MPI_Waitall(3, ring.receives.data(), ring.statuses.data());
  for (const Status& status : ring.statuses) show("status", status);
  ring.finish_sends();
}

CASE(waitall) {
  Ring ring(30);
  ring.post();
  ring.send();
  show("code", MPI_Waitall(as_int(ring.count), ring.receives.data(),
                           ring.statuses.data()));
  for (const Status& status : ring.statuses) show("status", status);
  line("null: %s", yes(all_null(ring.receives)));
  ring.finish_sends();
  ring.show_data();
}

CASE(waitall_statuses_ignored) {
  Ring ring(30);
  ring.post();
  ring.send();
  MPI_Waitall(as_int(ring.count), ring.receives.data(), MPI_STATUSES_IGNORE);
  ring.finish_sends();
  ring.show_data();
}

CASE(waitall_of_sends_and_receives) {
  Ring ring(10);
  ring.post();
  ring.send();
  std::vector<MPI_Request> all;
  for (size_t i = 0; i < ring.count; ++i) {
    all.push_back(ring.sends[i]);
    all.push_back(MPI_REQUEST_NULL);
    all.push_back(ring.receives[i]);
  }
  std::vector<Status> statuses(all.size(), spoiled());
  MPI_Waitall(as_int(all.size()), all.data(), statuses.data());
  for (size_t i = 1; i < all.size(); i += 3) {
    show_empty("null", statuses[i]);
    show("receive", statuses[i + 1]);
  }
  line("null: %s", yes(all_null(all)));
}

CASE(testall) {
  Ring ring(12);
  ring.post();
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  MPI_Testall(as_int(ring.count), ring.receives.data(), &flag,
              ring.statuses.data());
  line("before: %d", flag);
  MPI_Barrier(MPI_COMM_WORLD);
  ring.send();
  flag = 0;
  while (flag == 0) {
    MPI_Testall(as_int(ring.count), ring.receives.data(), &flag,
                ring.statuses.data());
  }
  for (const Status& status : ring.statuses) show("status", status);
  line("null: %s", yes(all_null(ring.receives)));
  ring.finish_sends();
  ring.show_data();
}

CASE(testall_statuses_ignored) {
  Ring ring(12);
  ring.post();
  ring.send();
  for (int flag = 0; flag == 0;) {
    MPI_Testall(as_int(ring.count), ring.receives.data(), &flag,
                MPI_STATUSES_IGNORE);
  }
  ring.finish_sends();
  ring.show_data();
}

// Those that complete in any order: shown in the order of their index.
template <class Next>
void in_any_order(Ring& ring, Next next_done) {
  ring.post();
  ring.send();
  std::vector<int> seen(ring.count, 0);
  for (size_t done = 0; done < ring.count;) {
    done += next_done([&](int index, const Status* status) {
      ++seen[static_cast<size_t>(index)];
      if (status != nullptr)
        ring.statuses[static_cast<size_t>(index)] = *status;
    });
  }
  show("seen", seen);
  line("null: %s", yes(all_null(ring.receives)));
  ring.finish_sends();
  ring.show_data();
}

CASE(waitany) {
  Ring ring(20);
  in_any_order(ring, [&](auto done) {
    int index = -1;
    Status status;
    MPI_Waitany(as_int(ring.count), ring.receives.data(), &index, &status);
    done(index, &status);
    return size_t{1};
  });
  for (const Status& status : ring.statuses) show("status", status);
}

CASE(waitany_status_ignored) {
  Ring ring(20);
  in_any_order(ring, [&](auto done) {
    int index = -1;
    MPI_Waitany(as_int(ring.count), ring.receives.data(), &index,
                MPI_STATUS_IGNORE);
    done(index, nullptr);
    return size_t{1};
  });
}

CASE(testany) {
  Ring ring(20);
  in_any_order(ring, [&](auto done) {
    int index = -1;
    int flag = 0;
    Status status;
    MPI_Testany(as_int(ring.count), ring.receives.data(), &index, &flag,
                &status);
    if (flag == 0) {
      if (index != MPI_UNDEFINED) line("index %d without a flag", index);
      return size_t{0};
    }
    done(index, &status);
    return size_t{1};
  });
  for (const Status& status : ring.statuses) show("status", status);
}

CASE(testany_status_ignored) {
  Ring ring(20);
  in_any_order(ring, [&](auto done) {
    int index = -1;
    int flag = 0;
    MPI_Testany(as_int(ring.count), ring.receives.data(), &index, &flag,
                MPI_STATUS_IGNORE);
    if (flag != 0) done(index, nullptr);
    return static_cast<size_t>(flag);
  });
}

template <class Some>
void some(Ring& ring, Some some_of, bool ignore) {
  Ints indices(ring.count);
  std::vector<Status> statuses(ring.count);
  in_any_order(ring, [&](auto done) {
    int out_count = -1;
    some_of(as_int(ring.count), ring.receives.data(), &out_count,
            indices.data(), ignore ? MPI_STATUSES_IGNORE : statuses.data());
    for (size_t i = 0; i < static_cast<size_t>(out_count); ++i) {
      done(indices[i], ignore ? nullptr : &statuses[i]);
    }
    return static_cast<size_t>(out_count);
  });
  if (ignore) return;
  for (const Status& status : ring.statuses) show("status", status);
}

CASE(waitsome) {
  Ring ring(20);
  some(ring, MPI_Waitsome, false);
}

CASE(waitsome_statuses_ignored) {
  Ring ring(20);
  some(ring, MPI_Waitsome, true);
}

CASE(testsome) {
  Ring ring(20);
  some(ring, MPI_Testsome, false);
}

CASE(testsome_statuses_ignored) {
  Ring ring(20);
  some(ring, MPI_Testsome, true);
}

// ---- nothing to wait for ----------------------------------------------------

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

// ---- looking without completing ---------------------------------------------

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
  ring.finish_sends();
  ring.show_data();
}

CASE(request_get_status_of_sends) {
  Ring ring(3);
  ring.post();
  ring.send();
  for (MPI_Request& r : ring.sends) {
    for (int flag = 0; flag == 0;) {
      MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
    }
    line("null: %s", yes(r == MPI_REQUEST_NULL));
  }
  MPI_Waitall(3, ring.receives.data(), MPI_STATUSES_IGNORE);
  ring.finish_sends();
  ring.show_data();
}

// ---- freed and cancelled ----------------------------------------------------

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

CASE(cancelled_statuses_set_by_hand) {
  Status status = spoiled();
  int cancelled = -1;
  MPI_Status_set_elements(&status, MPI_INT, 3);
  MPI_Status_set_cancelled(&status, 0);
  show("set", status);
  MPI_Status_set_cancelled(&status, 1);
  MPI_Test_cancelled(&status, &cancelled);
  line("cancelled %d", cancelled);
  MPI_Count elements = -1;
  MPI_Status_set_elements_x(&status, MPI_INT, 12345);
  MPI_Get_elements_x(&status, MPI_INT, &elements);
  line("elements %lld", static_cast<long long>(elements));
}

// ---- errors of some of them -------------------------------------------------

// The i-th receive is too short for its message.
template <class Complete>
void one_truncated(Complete complete) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  constexpr int kCount = 5;
  Ints in(100, -1);
  std::vector<MPI_Request> receives(kCount);
  std::vector<Status> statuses(kCount, spoiled());
  for (size_t i = 0; i < kCount; ++i) {
    MPI_Irecv(&in[i * 20], i == 2 ? 1 : 10, MPI_INT, previous(),
              static_cast<int>(i), MPI_COMM_WORLD, &receives[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Ints out = numbers(10);
  for (int i = 0; i < kCount; ++i) {
    MPI_Send(out.data(), 10, MPI_INT, next(), i, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  complete(receives, statuses);
  // Completes what was left pending.
  for (MPI_Request& r : receives) {
    if (r != MPI_REQUEST_NULL) MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  for (const int i : {0, 20, 60, 80}) {
    line("value %d", in[static_cast<size_t>(i) + 9]);
  }
  use("afterwards", MPI_COMM_WORLD);
  for (int i = 0; i < kCount; ++i) {
    int got = -1;
    MPI_Sendrecv(&i, 1, MPI_INT, next(), i, &got, 1, MPI_INT, previous(), i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line("next of the stream %d", got);
  }
}

CASE(truncated_in_wait) {
  one_truncated([](auto& receives, auto& statuses) {
    for (size_t i = 0; i < receives.size(); ++i) {
      const int code = MPI_Wait(&receives[i], &statuses[i]);
      show("wait", code);
      line("source %d, tag %d, null %s", statuses[i].MPI_SOURCE,
           statuses[i].MPI_TAG, yes(receives[i] == MPI_REQUEST_NULL));
    }
  });
}

CASE(truncated_in_test) {
  one_truncated([](auto& receives, auto& statuses) {
    for (size_t i = 0; i < receives.size(); ++i) {
      int code = MPI_SUCCESS;
      for (int flag = 0; flag == 0 && code == MPI_SUCCESS;) {
        code = MPI_Test(&receives[i], &flag, &statuses[i]);
      }
      show("test", code);
      line("null %s", yes(receives[i] == MPI_REQUEST_NULL));
    }
  });
}

CASE(truncated_in_waitall) {
  one_truncated([](auto& receives, auto& statuses) {
    show("waitall", MPI_Waitall(5, receives.data(), statuses.data()));
    for (size_t i = 0; i < receives.size(); ++i) {
      line("error %s, null %s", name_of_error(statuses[i].MPI_ERROR).c_str(),
           yes(receives[i] == MPI_REQUEST_NULL));
    }
  });
}

CASE(truncated_in_waitall_statuses_ignored) {
  one_truncated([](auto& receives, auto&) {
    show("waitall", MPI_Waitall(5, receives.data(), MPI_STATUSES_IGNORE));
  });
}

CASE(truncated_in_testall) {
  one_truncated([](auto& receives, auto& statuses) {
    int code = MPI_SUCCESS;
    for (int flag = 0; flag == 0 && code == MPI_SUCCESS;) {
      code = MPI_Testall(5, receives.data(), &flag, statuses.data());
    }
    show("testall", code);
  });
}

CASE(truncated_in_waitany) {
  one_truncated([](auto& receives, auto& statuses) {
    Ints codes(5, -1);
    for (int i = 0; i < 5; ++i) {
      int index = MPI_UNDEFINED;
      const int code = MPI_Waitany(5, receives.data(), &index, statuses.data());
      if (index < 0) continue;
      int error_class = -1;
      MPI_Error_class(code, &error_class);
      codes[static_cast<size_t>(index)] = error_class;
    }
    show("codes", codes);
  });
}

CASE(truncated_in_waitsome) {
  one_truncated([](auto& receives, auto& statuses) {
    Ints classes(5, -1);
    Ints indices(5);
    bool in_status = false;
    for (int rounds = 0; rounds < 20; ++rounds) {
      int count = 0;
      const int code = MPI_Waitsome(5, receives.data(), &count, indices.data(),
                                    statuses.data());
      if (count == MPI_UNDEFINED) break;
      in_status = in_status || name_of_error(code) == "IN_STATUS";
      for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
        int error_class = MPI_SUCCESS;
        // Set only where the call says so.
        if (code != MPI_SUCCESS) {
          MPI_Error_class(statuses[i].MPI_ERROR, &error_class);
        }
        classes[static_cast<size_t>(indices[i])] = error_class;
      }
    }
    show("classes", classes);
    line("in status: %s", yes(in_status));
  });
}

CASE(truncated_in_testsome_statuses_ignored) {
  one_truncated([](auto& receives, auto&) {
    Ints indices(5);
    Ints seen(5, 0);
    for (;;) {
      int count = 0;
      MPI_Testsome(5, receives.data(), &count, indices.data(),
                   MPI_STATUSES_IGNORE);
      if (count == MPI_UNDEFINED) break;
      for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
        ++seen[static_cast<size_t>(indices[i])];
      }
    }
    show("seen", seen);
  });
}

CASE(truncated_in_recv) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  Ints in(100, -1);
  const Ints out = numbers(10);
  for (const bool ignore : {false, true}) {
    MPI_Request request;
    MPI_Isend(out.data(), 10, MPI_INT, next(), 0, MPI_COMM_WORLD, &request);
    Status status = spoiled();
    show("recv", MPI_Recv(in.data(), 3, MPI_INT, previous(), 0, MPI_COMM_WORLD,
                          ignore ? MPI_STATUS_IGNORE : &status));
    if (!ignore) line("source %d, tag %d", status.MPI_SOURCE, status.MPI_TAG);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out.data(), 10, MPI_INT, next(), 0, in.data(), 10, MPI_INT,
                 previous(), 0, MPI_COMM_WORLD, &status);
    show("next", status);
  }
}

CASE(truncated_in_sendrecv) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  Ints in(100, -1);
  const Ints out = numbers(10);
  for (int i = 0; i < 3; ++i) {
    Status status = spoiled();
    show("sendrecv",
         MPI_Sendrecv(out.data(), 10, MPI_INT, next(), 0, in.data(), 3, MPI_INT,
                      previous(), 0, MPI_COMM_WORLD, &status));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  use("afterwards", MPI_COMM_WORLD);
}

CASE(truncated_large_message) {
  // Large messages use a protocol of their own (rendezvous).
  ErrorsReturn errors(MPI_COMM_WORLD);
  Ints in(100000, -1);
  const Ints out = numbers(100000);
  MPI_Request requests[2];
  MPI_Irecv(in.data(), 10, MPI_INT, previous(), 0, MPI_COMM_WORLD,
            &requests[0]);
  MPI_Isend(out.data(), 100000, MPI_INT, next(), 0, MPI_COMM_WORLD,
            &requests[1]);
  show("receive", MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  show("send", MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
  line("untouched: %s", yes(in[10] == -1));
  use("afterwards", MPI_COMM_WORLD);
}

}  // namespace
