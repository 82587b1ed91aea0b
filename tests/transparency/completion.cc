// Wait and Test in all their forms, with and without statuses.
#include "completion.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "completion";

CASE(wait) {
  RingUnderWay ring(10);
  for (size_t i = 0; i < ring.count; ++i) {
    show("wait", MPI_Wait(&ring.receives[i], &ring.statuses[i]));
    show("status", ring.statuses[i]);
  }
  ring.show_null();
  ring.finish();
}

CASE(wait_in_reverse) {
  RingUnderWay ring(10);
  for (size_t i = ring.count; i-- > 0;) {
    MPI_Wait(&ring.receives[i], &ring.statuses[i]);
    show("status", ring.statuses[i]);
  }
  ring.finish();
}

CASE(wait_status_ignored) {
  RingUnderWay ring(6);
  for (MPI_Request& r : ring.receives) MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (MPI_Request& r : ring.sends) MPI_Wait(&r, MPI_STATUS_IGNORE);
  line("null: %s", yes(all_null(ring.receives) && all_null(ring.sends)));
  ring.show_data();
}

CASE(wait_of_a_send) {
  RingUnderWay ring(4);
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
  RingUnderWay ring(8);
  for (size_t i = 0; i < ring.count; ++i) {
    int flag = 0;
    while (flag == 0) MPI_Test(&ring.receives[i], &flag, &ring.statuses[i]);
    show("status", ring.statuses[i]);
  }
  ring.show_null();
  ring.finish();
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
  ring.show_statuses();
  ring.finish_sends();
}

CASE(waitall) {
  RingUnderWay ring(30);
  show("code", MPI_Waitall(as_int(ring.count), ring.receives.data(),
                           ring.statuses.data()));
  ring.show_statuses();
  ring.show_null();
  ring.finish();
}

CASE(waitall_statuses_ignored) {
  RingUnderWay ring(30);
  MPI_Waitall(as_int(ring.count), ring.receives.data(), MPI_STATUSES_IGNORE);
  ring.finish();
}

CASE(waitall_of_sends_and_receives) {
  RingUnderWay ring(10);
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
  ring.show_statuses();
  ring.show_null();
  ring.finish();
}

CASE(testall_statuses_ignored) {
  RingUnderWay ring(12);
  for (int flag = 0; flag == 0;) {
    MPI_Testall(as_int(ring.count), ring.receives.data(), &flag,
                MPI_STATUSES_IGNORE);
  }
  ring.finish();
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
  ring.show_null();
  ring.finish();
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
  ring.show_statuses();
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
  ring.show_statuses();
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
  ring.show_statuses();
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

}  // namespace
