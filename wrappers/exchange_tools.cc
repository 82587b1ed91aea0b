#include "wrappers/exchange_tools.h"

#include <sched.h>

#include "wrappers/comms.h"

namespace poprt::mpi {

void shorten_late(MpiThread& thread, int64_t waited_ns) {
  if (waited_ns == 0) return;
  for (ShadowOp* op : thread.late) thread.waits.shorten(waited_ns, &op->wait);
}

void lose_partner(MpiThread& thread) {
  thread.thread.book(now_ns());
  thread.waits.lose();
}

bool has_others(MPI_Comm comm) {
  int inter = 0;
  int size = 0;
  return pmpi().Comm_test_inter(comm, &inter) == MPI_SUCCESS &&
         pmpi().Comm_size(comm, &size) == MPI_SUCCESS &&
         (inter != 0 || size > 1);
}

void lose_partner_on(MpiThread* thread, MPI_Comm comm, int code) {
  if (thread != nullptr && code == MPI_SUCCESS && has_others(comm)) {
    lose_partner(*thread);
  }
}

bool complete_within(MPI_Request* request, int64_t patience_ns) {
  int flag = 0;
  pmpi().Test(request, &flag, MPI_STATUS_IGNORE);
  if (flag != 0) return true;
  const int64_t begin = now_ns();
  constexpr int kSpins = 200;
  for (int i = 0; flag == 0 && now_ns() - begin < patience_ns; ++i) {
    // The other process may need this core.
    if (i > kSpins) sched_yield();
    pmpi().Test(request, &flag, MPI_STATUS_IGNORE);
  }
  return flag != 0;
}

void lose_patience(std::atomic<int64_t>& patience_ns) {
  const int64_t half = patience_ns.load(std::memory_order_relaxed) / 2;
  patience_ns.store(half < 1'000'000 ? 0 : half, std::memory_order_relaxed);
}

ShadowOp* new_op(MpiThread& thread, CommInfo& comm) {
  hold_comm(comm);
  ShadowOp* const op = job().op_pool.take(thread.free_ops);
  op->comm = &comm;
  op->wanted = op->relays = op->reply = op->started = false;
  return op;
}

// Releases the communicator, which may be freed by that.
void free_op(MpiThread& thread, ShadowOp* op) {
  release_comm(op->comm);
  job().op_pool.recycle(thread.free_ops, op);
}

void put_off(MpiThread& thread, ShadowOp* op) {
  if (op->wanted) {
    thread.thread.book(now_ns());
    op->event = thread.thread.moment();
    op->wait = thread.waits.put_off();
  }
  thread.late.push_back(op);
}

}  // namespace poprt::mpi
