// One-sided communication under locks.
#include <algorithm>

#include "windows.h"

namespace {

using namespace transparency;

namespace passive {
constexpr char kGroup[] = "rma_passive";

CASE(lock_exclusive) {
  Window window(10);
  Ints in(6, -1);
  show("lock", MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window.handle));
  all_operations(window.handle, next(), in);
  show("unlock", MPI_Win_unlock(next(), window.handle));
  show("in", in);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank(), 0, window.handle);
  show("memory", window.content());
  MPI_Win_unlock(rank(), window.handle);
}

CASE(lock_shared) {
  Window window(10);
  int in = -1;
  for (int p = 0; p < size(); ++p) {
    MPI_Win_lock(MPI_LOCK_SHARED, p, 0, window.handle);
    MPI_Get(&in, 1, MPI_INT, p, 3, 1, MPI_INT, window.handle);
    MPI_Win_unlock(p, window.handle);
    line("value %d", in);
  }
}

CASE(lock_nocheck_and_own) {
  Window window(10);
  int in = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, rank(), MPI_MODE_NOCHECK, window.handle);
  MPI_Get(&in, 1, MPI_INT, rank(), 3, 1, MPI_INT, window.handle);
  MPI_Win_unlock(rank(), window.handle);
  line("value %d", in);
}

#if !defined(OPEN_MPI)  // 4.1 takes it for an error
CASE(lock_proc_null) {
  Window window(2);
  ErrorsReturn errors(MPI_COMM_WORLD);
  int value = 1;
  show("lock",
       MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, window.handle));
  MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window.handle);
  show("unlock", MPI_Win_unlock(MPI_PROC_NULL, window.handle));
}
#endif

CASE(counter_under_exclusive_locks) {
  Window window(1);
  if (rank() == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.handle);
    window.memory[0] = 0;
    MPI_Win_unlock(0, window.handle);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 50; ++i) {
    int value = -1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.handle);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window.handle);
    MPI_Win_flush(0, window.handle);
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window.handle);
    MPI_Win_unlock(0, window.handle);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int total = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.handle);
  MPI_Get(&total, 1, MPI_INT, 0, 0, 1, MPI_INT, window.handle);
  MPI_Win_unlock(0, window.handle);
  line("counter %d", total);
}

CASE(lock_all_and_flushes) {
  Window window(10);
  Ints in(6, -1);
  show("lock_all", MPI_Win_lock_all(0, window.handle));
  all_operations(window.handle, next(), in);
  show("flush_local", MPI_Win_flush_local(next(), window.handle));
  show("flush", MPI_Win_flush(next(), window.handle));
  show("in", in);
  show("flush_local_all", MPI_Win_flush_local_all(window.handle));
  show("flush_all", MPI_Win_flush_all(window.handle));
  MPI_Barrier(MPI_COMM_WORLD);
  show("sync", MPI_Win_sync(window.handle));
  show("memory", window.content());
  MPI_Barrier(MPI_COMM_WORLD);
  show("unlock_all", MPI_Win_unlock_all(window.handle));
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window.handle);
  MPI_Win_unlock_all(window.handle);
}

CASE(requests) {
  Window window(10);
  int in[3] = {-1, -1, -1};
  const int out[2] = {rank() + 5, rank() + 6};
  MPI_Win_lock_all(0, window.handle);
  MPI_Request requests[4];
  MPI_Rput(&out[0], 1, MPI_INT, next(), 0, 1, MPI_INT, window.handle,
           &requests[0]);
  MPI_Rget(&in[0], 1, MPI_INT, next(), 5, 1, MPI_INT, window.handle,
           &requests[1]);
  MPI_Raccumulate(&out[1], 1, MPI_INT, next(), 1, 1, MPI_INT, MPI_SUM,
                  window.handle, &requests[2]);
  MPI_Rget_accumulate(&out[1], 1, MPI_INT, &in[1], 1, MPI_INT, next(), 2, 1,
                      MPI_INT, MPI_SUM, window.handle, &requests[3]);
  Status statuses[4];
  show("waitall", MPI_Waitall(4, requests, statuses));
  line("null: %s, values %d %d", yes(requests[0] == MPI_REQUEST_NULL), in[0],
       in[1]);
  MPI_Rget(&in[2], 1, MPI_INT, next(), 7, 1, MPI_INT, window.handle,
           &requests[0]);
  for (int flag = 0; flag == 0;) {
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  }
  line("value %d", in[2]);
  MPI_Rput(&out[0], 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window.handle,
           &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Win_flush_all(window.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window.handle);
  show("memory", window.content());
}

CASE(requests_mixed_with_messages) {
  Window window(10);
  int in[2] = {-1, -1};
  const int out = rank() + 5;
  MPI_Win_lock_all(0, window.handle);
  MPI_Request requests[3];
  MPI_Rget(&in[0], 1, MPI_INT, next(), 5, 1, MPI_INT, window.handle,
           &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[2]);
  for (int done = 0; done < 3;) {
    int indices[3];
    int count = 0;
    MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    done += count;
  }
  MPI_Win_unlock_all(window.handle);
  line("values %d %d", in[0], in[1]);
}

CASE(ticket_by_fetch_and_op) {
  Window window(2);
  if (rank() == 0) window.memory[0] = 0;
  MPI_Win_lock_all(0, window.handle);
  MPI_Win_sync(window.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  Ints tickets;
  for (int i = 0; i < 30; ++i) {
    const int one = 1;
    int ticket = -1;
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window.handle);
    MPI_Win_flush(0, window.handle);
    tickets.push_back(ticket);
  }
  line("mine grow: %s", yes(std::is_sorted(tickets.begin(), tickets.end())));
  MPI_Barrier(MPI_COMM_WORLD);
  int last = -1;
  const int zero = 0;
  MPI_Fetch_and_op(&zero, &last, MPI_INT, 0, 0, MPI_NO_OP, window.handle);
  MPI_Win_flush(0, window.handle);
  line("last %d", last);
  MPI_Win_unlock_all(window.handle);
}

}  // namespace passive

}  // namespace
