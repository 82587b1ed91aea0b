// Calls that came with MPI 4.0, apart from large counts and sessions.
#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "mpi4";

#if defined(POPRT_HAS_MPI_Isendrecv)
CASE(isendrecv) {
  for (const int count : {0, 1, 50, 20000}) {
    const Ints out = numbers(count, rank());
    Ints in(static_cast<size_t>(count) + 1, -1);
    MPI_Request request;
    Status status;
    MPI_Isendrecv(out.data(), count, MPI_INT, next(), 1, in.data(), count,
                  MPI_INT, previous(), 1, MPI_COMM_WORLD, &request);
    show("wait", MPI_Wait(&request, &status));
    line("checksum %u", checksum(in));
#if defined(POPRT_HAS_MPI_Isendrecv_c)
    MPI_Isendrecv_c(out.data(), count, MPI_INT, next(), 1, in.data(), count,
                    MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    for (int flag = 0; flag == 0;) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    line("checksum %u", checksum(in));
#endif
  }
}

CASE(isendrecv_replace) {
  for (const int count : {1, 50, 20000}) {
    Ints data = numbers(count, rank());
    MPI_Request request;
    MPI_Isendrecv_replace(data.data(), count, MPI_INT, next(), 1, previous(), 1,
                          MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    line("checksum %u", checksum(data));
#if defined(POPRT_HAS_MPI_Isendrecv_c)
    MPI_Isendrecv_replace_c(data.data(), count, MPI_INT, next(), 1, previous(),
                            1, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    line("checksum %u", checksum(data));
#endif
  }
}

CASE(isendrecv_with_proc_null) {
  int in = -1;
  const int out = rank();
  MPI_Request request;
  const bool last = rank() == size() - 1;
  MPI_Isendrecv(&out, 1, MPI_INT, last ? MPI_PROC_NULL : rank() + 1, 1, &in, 1,
                MPI_INT, rank() == 0 ? MPI_PROC_NULL : rank() - 1, 1,
                MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  line("value %d", in);
}

CASE(isendrecv_meets_plain_calls) {
  int in = -1;
  const int out = rank();
  if (rank() % 2 == 0) {
    MPI_Request request;
    MPI_Isendrecv(&out, 1, MPI_INT, next(), 1, &in, 1, MPI_INT, previous(), 1,
                  MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Sendrecv(&out, 1, MPI_INT, next(), 1, &in, 1, MPI_INT, previous(), 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  line("value %d", in);
}

#endif

#if defined(POPRT_HAS_MPI_Psend_init)
// ---- partitioned ------------------------------------------------------------

constexpr int kParts = 6;

CASE_FROM(partitioned, 2) {
  if (rank() > 1) return;
  Ints data(kParts * 4, -1);
  MPI_Request request;
  if (rank() == 0) {
    MPI_Psend_init(data.data(), kParts, 4, MPI_INT, 1, 3, MPI_COMM_WORLD,
                   MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(data.data(), kParts, 4, MPI_INT, 0, 3, MPI_COMM_WORLD,
                   MPI_INFO_NULL, &request);
  }
  for (int round = 0; round < 4; ++round) {
    if (rank() == 0) std::iota(data.begin(), data.end(), round * 100);
    MPI_Start(&request);
    if (rank() == 0) {
      if (round == 0) {
        for (int p = kParts - 1; p >= 0; --p) MPI_Pready(p, request);
      } else if (round == 1) {
        MPI_Pready_range(0, kParts - 1, request);
      } else {
        int first[2] = {1, 4};
        MPI_Pready_list(2, first, request);
        for (const int p : {0, 2, 3, 5}) MPI_Pready(p, request);
      }
    } else if (round == 2) {
      for (int flag = 0; flag == 0;) MPI_Parrived(request, 2, &flag);
      line("part %d", data[8]);
    }
    Status status;
    show("wait", MPI_Wait(&request, &status));
    line("null: %s", yes(request == MPI_REQUEST_NULL));
    if (rank() == 1) show("data", data);
  }
  MPI_Request_free(&request);
}

CASE_FROM(partitioned_several, 2) {
  if (rank() > 1) return;
  constexpr int kCount = 4;
  MPI_Request requests[kCount];
  int data[kCount][2];
  for (int i = 0; i < kCount; ++i) {
    if (rank() == 0) {
      MPI_Psend_init(data[i], 2, 1, MPI_INT, 1, 3, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &requests[i]);
    } else {
      MPI_Precv_init(data[i], 2, 1, MPI_INT, 0, 3, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &requests[i]);
    }
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kCount; ++i) {
      data[i][0] = data[i][1] = rank() == 0 ? i * 10 + round : -1;
    }
    MPI_Startall(kCount, requests);
    if (rank() == 0) {
      for (MPI_Request& r : requests) MPI_Pready_range(0, 1, r);
    }
    MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE);
    for (auto& d : data) line("data %d %d", d[0], d[1]);
  }
  for (MPI_Request& r : requests) MPI_Request_free(&r);
}

CASE_FROM(partitioned_and_plain_messages, 2) {
  if (rank() > 1) return;
  int data[2] = {rank() == 0 ? 5 : -1, rank() == 0 ? 6 : -1};
  int in = -1;
  const int out = rank() + 1;
  MPI_Request request;
  if (rank() == 0) {
    MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
  } else {
    MPI_Precv_init(data, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
  }
  MPI_Start(&request);
  // Ordinary messages never match partitioned ones of the same peer and tag.
  MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank(), 0, &in, 1, MPI_INT, 1 - rank(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank() == 0) MPI_Pready_range(0, 1, request);
  for (int flag = 0; flag == 0;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  line("data %d %d, value %d", data[0], data[1], in);
  MPI_Request_free(&request);
}

#endif

#if defined(POPRT_HAS_MPI_Comm_create_from_group)
// ---- communicators ----------------------------------------------------------

CASE(idup_with_info) {
  MPI_Info info;
  MPI_Comm comm;
  MPI_Request request;
  MPI_Info_create(&info);
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use("idup", comm);
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);
}

CASE(create_from_group) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  show("create", MPI_Comm_create_from_group(group, "poprt.test", MPI_INFO_NULL,
                                            MPI_ERRORS_RETURN, &comm));
  use("comm", comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
}

CASE(split_guided) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &comm);
  use("guided", comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Info_free(&info);
}

#endif

#if defined(POPRT_HAS_MPI_Allreduce_init)
// Persistent collectives that are started in another order on each process.
CASE(persistent_collectives_in_any_order) {
  constexpr int kCount = 4;
  MPI_Request requests[kCount];
  int out[kCount];
  int in[kCount];
  for (int i = 0; i < kCount; ++i) {
    MPI_Allreduce_init(&out[i], &in[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &requests[i]);
  }
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < kCount; ++i) {
      out[i] = rank() + i * 10 + round;
      in[i] = -1;
    }
    for (int i = 0; i < kCount; ++i) {
      MPI_Start(&requests[(i + rank()) % kCount]);
    }
    MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE);
    show("sums", Ints(in, in + kCount));
  }
  for (MPI_Request& r : requests) MPI_Request_free(&r);
}

CASE(persistent_barrier) {
  MPI_Request request;
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 10; ++i) {
    MPI_Start(&request);
    Status status;
    MPI_Wait(&request, &status);
  }
  // Inactive: complete at once.
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int index = -1;
  MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
  line("index %s", text_of_index(index).c_str());
  MPI_Request_free(&request);
  line("null: %s", yes(request == MPI_REQUEST_NULL));
}

CASE(persistent_collectives_never_started) {
  for (int i = 0; i < 20; ++i) {
    MPI_Request requests[3];
    int value = 0;
    int sum = 0;
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &requests[0]);
    MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
    for (MPI_Request& r : requests) MPI_Request_free(&r);
  }
  use("world", MPI_COMM_WORLD);
}

CASE(persistent_collective_of_zero_counts_of_some) {
  // Some processes contribute nothing; the request is started again and again.
  Ints counts(static_cast<size_t>(size()));
  Ints places(static_cast<size_t>(size()));
  int total = 0;
  for (int p = 0; p < size(); ++p) {
    counts[static_cast<size_t>(p)] = p % 2;
    places[static_cast<size_t>(p)] = total;
    total += p % 2;
  }
  int out = 0;
  Ints in(static_cast<size_t>(total) + 1, -1);
  MPI_Request request;
  MPI_Allgatherv_init(&out, rank() % 2, MPI_INT, in.data(), counts.data(),
                      places.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &request);
  for (int round = 0; round < 3; ++round) {
    out = rank() * 10 + round;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show("in", in);
  }
  MPI_Request_free(&request);
}

#endif

}  // namespace
