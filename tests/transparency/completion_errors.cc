// Completion of several requests of which some fail.
#include "completion.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "completion";

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
