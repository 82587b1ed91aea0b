// The calls of MPI 4.0 that count with MPI_Count.
#include "messages.h"

#if defined(POPRT_HAS_MPI_Send_c)

namespace {

using namespace transparency;
constexpr char kGroup[] = "mpi4_large_counts";

CASE(send_c) { around_the_ring(blocking(MPI_Send_c)); }

CASE(ssend_c) { around_the_ring(blocking(MPI_Ssend_c)); }

CASE(isend_c) { around_the_ring(nonblocking(MPI_Isend_c)); }

CASE(issend_c) { around_the_ring(nonblocking(MPI_Issend_c)); }

CASE(rsend_c) { around_the_ring_ready(blocking(MPI_Rsend_c)); }

CASE(irsend_c) { around_the_ring_ready(nonblocking(MPI_Irsend_c)); }

CASE(bsend_c) {
  std::vector<char> space(300000);
  MPI_Buffer_attach_c(space.data(), 300000);
  around_the_ring(blocking(MPI_Bsend_c));
  around_the_ring(nonblocking(MPI_Ibsend_c));
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

}  // namespace

#endif
