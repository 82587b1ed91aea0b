// What came with MPI 4.0.
#include "messages.h"

#if MPI_VERSION >= 4

namespace {

using namespace transparency;

namespace large {
constexpr char kGroup[] = "mpi4_large_counts";

CASE(send_c) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Send_c(data, n, MPI_INT, dest, tag, comm);
  });
}

CASE(ssend_c) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Ssend_c(data, n, MPI_INT, dest, tag, comm);
  });
}

CASE(isend_c) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    MPI_Isend_c(data, n, MPI_INT, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

CASE(issend_c) {
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    MPI_Request request;
    MPI_Issend_c(data, n, MPI_INT, dest, tag, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

CASE(rsend_c) {
  around_the_ring_ready(
      [](const int* data, int n, int dest, int tag, MPI_Comm comm) {
        MPI_Rsend_c(data, n, MPI_INT, dest, tag, comm);
        MPI_Request request;
        MPI_Irsend_c(nullptr, 0, MPI_INT, MPI_PROC_NULL, tag, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      });
}

CASE(bsend_c) {
  std::vector<char> space(300000);
  MPI_Buffer_attach_c(space.data(), 300000);
  around_the_ring([](const int* data, int n, int dest, int tag, MPI_Comm comm) {
    if (tag % 20 < 10) {
      MPI_Bsend_c(data, n, MPI_INT, dest, tag, comm);
    } else {
      MPI_Request request;
      MPI_Ibsend_c(data, n, MPI_INT, dest, tag, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  });
  void* where = nullptr;
  MPI_Count bytes = -1;
  MPI_Buffer_detach_c(&where, &bytes);
  line("bytes %lld, mine %s", static_cast<long long>(bytes),
       yes(where == space.data()));
}

CASE(persistent_c) {
  int in = -1;
  int out = rank();
  MPI_Request r[2];
  MPI_Recv_init_c(&in, 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &r[0]);
  for (const auto init : {MPI_Send_init_c, MPI_Ssend_init_c}) {
    init(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &r[1]);
    for (int round = 0; round < 3; ++round) {
      out = rank() + round;
      MPI_Startall(2, r);
      Status statuses[2];
      MPI_Waitall(2, r, statuses);
      show("status", statuses[0]);
      line("value %d", in);
    }
    MPI_Request_free(&r[1]);
  }
  MPI_Request_free(&r[0]);
}

CASE(receives_c) {
  const Ints out = numbers(5, rank());
  Ints in(5, -1);
  Status status;
  MPI_Request requests[2];
  MPI_Isend(out.data(), 5, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_c(in.data(), 5, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
  show("recv", status);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Isend(out.data(), 4, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv_c(in.data(), 5, MPI_INT, previous(), MPI_ANY_TAG, MPI_COMM_WORLD,
              &requests[1]);
  Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  show("irecv", statuses[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Isend(out.data(), 3, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Message message;
    MPI_Mprobe(previous(), 1, MPI_COMM_WORLD, &message, &status);
    if (i == 0) {
      MPI_Mrecv_c(in.data(), 5, MPI_INT, &message, &status);
    } else {
      MPI_Imrecv_c(in.data(), 5, MPI_INT, &message, &requests[1]);
      MPI_Wait(&requests[1], &status);
    }
    show("matched", status);
    MPI_Count count = -1;
    MPI_Get_count_c(&status, MPI_INT, &count);
    line("count %lld", static_cast<long long>(count));
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  show("data", in);
}

CASE(sendrecv_c) {
  const Ints out = numbers(5, rank());
  Ints in(5, -1);
  Status status;
  MPI_Sendrecv_c(out.data(), 5, MPI_INT, next(), 0, in.data(), 5, MPI_INT,
                 previous(), 0, MPI_COMM_WORLD, &status);
  show("status", status);
  MPI_Sendrecv_replace_c(in.data(), 5, MPI_INT, next(), 0, previous(), 0,
                         MPI_COMM_WORLD, &status);
  show("status", status);
  show("data", in);
}

CASE(reduce_local_c) {
  const Ints a = numbers(3);
  Ints b = numbers(3, 5);
  MPI_Reduce_local_c(a.data(), b.data(), 3, MPI_INT, MPI_SUM);
  show("data", b);
}

CASE(large_user_operation) {
  struct Local {
    static void add(void* in, void* inout, MPI_Count* n, MPI_Datatype*) {
      for (MPI_Count i = 0; i < *n; ++i) {
        static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
      }
    }
  };
  MPI_Op op;
  MPI_Op_create_c(Local::add, 1, &op);
  const int out = rank() + 1;
  int in = -1;
  MPI_Allreduce_c(&out, &in, 1, MPI_INT, op, MPI_COMM_WORLD);
  line("sum %d", in);
  MPI_Op_free(&op);
}

CASE(windows_c) {
  int memory[4] = {};
  MPI_Win window;
  MPI_Win_create_c(memory, sizeof memory, sizeof(int), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &window);
  const int out = rank() + 4;
  int in = -1;
  int old = -1;
  MPI_Win_fence(0, window);
  MPI_Put_c(&out, 1, MPI_INT, next(), 0, 1, MPI_INT, window);
  MPI_Accumulate_c(&out, 1, MPI_INT, next(), 1, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Get_c(&in, 1, MPI_INT, next(), 0, 1, MPI_INT, window);
  MPI_Get_accumulate_c(&out, 1, MPI_INT, &old, 1, MPI_INT, next(), 2, 1,
                       MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  line("memory %d %d %d, got %d %d", memory[0], memory[1], memory[2], in, old);
  MPI_Win_lock_all(0, window);
  MPI_Request requests[4];
  MPI_Rput_c(&out, 1, MPI_INT, next(), 3, 1, MPI_INT, window, &requests[0]);
  MPI_Raccumulate_c(&out, 1, MPI_INT, next(), 1, 1, MPI_INT, MPI_SUM, window,
                    &requests[1]);
  MPI_Rget_c(&in, 1, MPI_INT, next(), 0, 1, MPI_INT, window, &requests[2]);
  MPI_Rget_accumulate_c(&out, 1, MPI_INT, &old, 1, MPI_INT, next(), 2, 1,
                        MPI_INT, MPI_SUM, window, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  line("got %d %d", in, old);
  MPI_Win_free(&window);
  int* allocated = nullptr;
  MPI_Win_allocate_c(4096, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &allocated, &window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Win_allocate_shared_c(4096, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                            &allocated, &window);
  MPI_Aint bytes = -1;
  MPI_Aint unit = -1;
  void* theirs = nullptr;
  MPI_Win_shared_query_c(window, next(), &bytes, &unit, &theirs);
  line("bytes %ld, unit %ld", static_cast<long>(bytes),
       static_cast<long>(unit));
  MPI_Win_free(&window);
}

CASE(files_c) {
  MPI_File file;
  const std::string path = folder() + "/large";
  MPI_File_open(MPI_COMM_WORLD, path.c_str(),
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  const Ints out = numbers(3, rank() * 10);
  Ints in(3, -1);
  Status status;
  const MPI_Offset place = rank() * 12;
  MPI_File_write_at_c(file, place, out.data(), 3, MPI_INT, &status);
  MPI_File_read_at_c(file, place, in.data(), 3, MPI_INT, &status);
  show("at", in);
  MPI_File_write_at_all_c(file, place, out.data(), 3, MPI_INT, &status);
  MPI_File_read_at_all_c(file, place, in.data(), 3, MPI_INT, &status);
  show("at_all", in);
  MPI_Request request;
  MPI_File_iwrite_at_c(file, place, out.data(), 3, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_File_iread_at_all_c(file, place, in.data(), 3, MPI_INT, &request);
  MPI_Wait(&request, &status);
  show("iread", in);
  MPI_File_seek(file, place, MPI_SEEK_SET);
  MPI_File_write_all_c(file, out.data(), 3, MPI_INT, &status);
  MPI_File_write_ordered_c(file, out.data(), 3, MPI_INT, &status);
  MPI_File_write_at_all_begin_c(file, place, out.data(), 3, MPI_INT);
  MPI_File_write_at_all_end(file, out.data(), &status);
  line("source %d", status.MPI_SOURCE == -77 ? 1 : 0);
  MPI_File_close(&file);
}

CASE(types_c) {
  MPI_Datatype type;
  MPI_Type_contiguous_c(5, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Count bytes = -1;
  MPI_Type_size_c(type, &bytes);
  line("bytes %lld", static_cast<long long>(bytes));
  MPI_Count low = -1;
  MPI_Count extent = -1;
  MPI_Type_get_extent_c(type, &low, &extent);
  line("extent %lld", static_cast<long long>(extent));
  Ints data = numbers(5, rank());
  MPI_Bcast_c(data.data(), 1, type, 0, MPI_COMM_WORLD);
  show("data", data);
  MPI_Type_free(&type);
}

CASE(errors_c) {
  ErrorsReturn errors(MPI_COMM_WORLD);
  int value = 0;
  show("send", MPI_Send_c(&value, -1, MPI_INT, next(), 0, MPI_COMM_WORLD));
  if (rank() == 0) {
    show("bcast", MPI_Bcast_c(&value, 1, MPI_INT, 1000, MPI_COMM_WORLD));
  }
  use("afterwards", MPI_COMM_WORLD);
}

}  // namespace large

namespace calls {
constexpr char kGroup[] = "mpi4";

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
    MPI_Isendrecv_c(out.data(), count, MPI_INT, next(), 1, in.data(), count,
                    MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    for (int flag = 0; flag == 0;) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    line("checksum %u", checksum(in));
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
    MPI_Isendrecv_replace_c(data.data(), count, MPI_INT, next(), 1, previous(),
                            1, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    line("checksum %u", checksum(data));
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

CASE(info_strings) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  char value[10] = {};
  int length = 10;
  int found = 0;
  MPI_Info_get_string(info, "key", &length, value, &found);
  line("%d %d %s", found, length, value);
  MPI_Info_free(&info);
}

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

}  // namespace calls

// MPICH 4.0 crashes when it begins a second time, and where only some
// processes begin.
namespace sessions {
constexpr char kGroup[] = "mpi4_sessions";

MPI_Comm comm_of(MPI_Session session, const char* set, const char* tag) {
  MPI_Group group;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group_from_session_pset(session, set, &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN,
                             &comm);
  MPI_Group_free(&group);
  return comm;
}

ALONE_CASE(without_init, 3, "") {
  MPI_Session session;
  show_outside("init",
               MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
  int initialized = -1;
  MPI_Initialized(&initialized);
  line("initialized %d", initialized);
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "world");
  use("world", comm);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  use("dup", copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  show_outside("finalize", MPI_Session_finalize(&session));
  line("null: %s", yes(session == MPI_SESSION_NULL));
}

ALONE_CASE(several_at_once, 2, "") {
  MPI_Session sessions[2];
  for (MPI_Session& s : sessions) {
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s);
  }
  MPI_Comm a = comm_of(sessions[0], "mpi://WORLD", "a");
  MPI_Comm b = comm_of(sessions[1], "mpi://WORLD", "b");
  use("a", a);
  use("b", b);
  MPI_Comm_free(&a);
  MPI_Session_finalize(&sessions[0]);
  use("b", b);
  MPI_Comm_free(&b);
  MPI_Session_finalize(&sessions[1]);
}

ALONE_CASE(with_init, 2, "") {
  MPI_Init(nullptr, nullptr);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "beside");
  use("session", comm);
  use("world", MPI_COMM_WORLD);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  use("world", MPI_COMM_WORLD);
  MPI_Finalize();
}

ALONE_CASE(session_first, 2, "") {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = comm_of(session, "mpi://WORLD", "first");
  use("session", comm);
  MPI_Init(nullptr, nullptr);
  use("world", MPI_COMM_WORLD);
  use("session", comm);
  MPI_Finalize();
  use("after finalize", comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

ALONE_CASE(only_self, 2, "") {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Comm comm = comm_of(session, "mpi://SELF", "self");
  use("self", comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

ALONE_CASE(nothing_but_the_session, 2, "") {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  int sets = -1;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
  line("sets %d", sets);
  for (int i = 0; i < sets; ++i) {
    int length = 0;
    char name[200] = {};
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, nullptr);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
    line("%s", name);
  }
  MPI_Info info;
  MPI_Session_get_info(session, &info);
  char level[40] = {};
  int length = 40;
  int found = 0;
  MPI_Info_get_string(info, "thread_level", &length, level, &found);
  line("%d %s", found, level);
  MPI_Info_free(&info);
  MPI_Session_finalize(&session);
}

}  // namespace sessions
}  // namespace

#endif
