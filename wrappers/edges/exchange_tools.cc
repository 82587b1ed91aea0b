#include "wrappers/edges/exchange_tools.h"

#include <sched.h>

#include <numeric>

#include "base/publish.h"
#include "wrappers/edges/comms.h"

namespace poprt::mpi {

namespace {

// The rank in the world of a peer, or -1 if it has none.  Asks about the tool's
// own communicator, because the program may have freed its.
int world_rank(CommInfo& comm, int peer) {
  if (peer < 0 || peer >= comm.peers) return -1;
  if (comm.carrier != nullptr) {
    return world_rank(*comm.carrier, comm.rank_there(peer));
  }
  const std::vector<int>* ranks = comm.edges.world_ranks.list.load();
  if (ranks == nullptr) {
    auto* const made =
        new std::vector<int>(static_cast<size_t>(comm.peers), -1);
    std::vector<int> peers(made->size());
    std::iota(peers.begin(), peers.end(), 0);
    MPI_Group group;
    if ((comm.inter ? pmpi().Comm_remote_group(comm.shadow, &group)
                    : pmpi().Comm_group(comm.shadow, &group)) == MPI_SUCCESS) {
      pmpi().Group_translate_ranks(group, comm.peers, peers.data(), job().world,
                                   made->data());
      pmpi().Group_free(&group);
    }
    ranks = &publish(comm.edges.world_ranks.list, made);
  }
  return (*ranks)[static_cast<size_t>(peer)];
}

}  // namespace

void Cost::begin(CommInfo* comm, int source, ClockMessage* sent,
                 const ClockMessage* result) {
  Turns& turns = thread_.thread.cost.messages.turns;
  comm_ = comm;
  source_ = source;
  result_ = result;
  if (thread_.sites != nullptr && sent != nullptr) {
    sent->reply_tag = comm->rank + 1;
  }
  is_timed_ = turns.is_timed();
  if (!is_timed_) return;
  rare_ns_ = thread_.thread.cost.rare_ns.get();
  begin_ = now_ns();
  turns.next(begin_);
}

void Cost::note(int source) const {
  if (thread_.sites == nullptr || comm_ == nullptr) return;
  const int64_t all_ns = latest_of(thread_.edges.arrived);
  if (thread_.sites->is_later(all_ns)) {
    thread_.sites->note_latest(all_ns, world_rank(*comm_, source));
  }
}

void Cost::note_and_merge() const {
  note();
  if (!is_timed_) return;
  thread_.thread.book(now_ns());
  merge_arrived(thread_);
}

void Cost::end() {
  note(result_ == nullptr ? source_ : result_->reply_tag - 1);
  if (!is_timed_) return look_for_due_work(thread_.thread.last_event_ns());
  const int64_t now_ns = strict_now_ns();
  // Waits in vain are counted, each of them.
  ToolCost& cost = thread_.thread.cost;
  cost.messages.samples.add(now_ns - begin_ - (cost.rare_ns.get() - rare_ns_));
  look_for_due_work(now_ns);
}

void shorten_late(MpiThread& thread, int64_t waited_ns) {
  if (waited_ns == 0) return;
  for (ShadowOp* op : thread.edges.late)
    thread.waits.shorten(waited_ns, &op->wait);
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
  if (flag == 0 && patience_ns > 0) count_vain_wait(begin);
  return flag != 0;
}

void count_vain_wait(int64_t begin_ns) {
  if (t_thread != nullptr) t_thread->cost.rare_ns.add(now_ns() - begin_ns);
}

void lose_patience(std::atomic<int64_t>& patience_ns) {
  const int64_t half = patience_ns.load(std::memory_order_relaxed) / 2;
  patience_ns.store(half < 1'000'000 ? 0 : half, std::memory_order_relaxed);
}

ShadowOp* new_op(MpiThread& thread, CommInfo& comm) {
  hold_comm(comm);
  ShadowOp* const op = job().edges.op_pool.take(thread.edges.free_ops);
  op->comm = &comm;
  op->wanted = op->relays = op->reply = op->started = false;
  op->first_look_ns = op->last_look_ns = 0;
  return op;
}

// Releases the communicator, which may be freed by that.
void free_op(MpiThread& thread, ShadowOp* op) {
  release_comm(op->comm);
  job().edges.op_pool.recycle(thread.edges.free_ops, op);
}

void put_off(MpiThread& thread, ShadowOp* op) {
  if (op->wanted) {
    thread.thread.book(now_ns());
    op->event = thread.thread.moment();
    op->wait = thread.waits.put_off();
  }
  thread.edges.late.push_back(op);
}

}  // namespace poprt::mpi
