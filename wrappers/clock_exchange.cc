#include "wrappers/clock_exchange.h"

#include <sched.h>

#include <algorithm>

#include "wrappers/comms.h"

namespace poprt::mpi {
namespace {

// Combines messages element by element; what MPI_Op_create wants.
template <int kMessageCapacity>
void combine_messages(void* in, void* inout, int* length, MPI_Datatype*) {
  constexpr size_t kBytes = ClockMessage::bytes_for(kMessageCapacity);
  for (int i = 0; i < *length; ++i) {
    const size_t offset = static_cast<size_t>(i) * kBytes;
    merge(*reinterpret_cast<ClockMessage*>(static_cast<char*>(inout) + offset),
          *reinterpret_cast<const ClockMessage*>(static_cast<char*>(in) +
                                                 offset),
          kMessageCapacity);
  }
}

void add_arrived(MpiThread& thread, const ClockMessage& message) {
  merge(thread.arrived, message, ClockMessage::kCapacity);
}

// Every so many messages are timed: how much of the run is the tool's.
class Cost {
 public:
  explicit Cost(MpiThread& thread)
      : thread_(thread), timed_((++thread.messages & 63) == 0) {
    if (timed_) begin_ = now_ns();
  }
  ~Cost() {
    if (!timed_) return;
    thread_.timed_ns += now_ns() - begin_;
    ++thread_.timed;
  }
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;

 private:
  MpiThread& thread_;
  const bool timed_;
  int64_t begin_ = 0;
};

// Tests a request until it is complete or `patience_ns` are over.
bool complete_within(MPI_Request* request, int64_t patience_ns) {
  int flag = 0;
  pmpi().Test(request, &flag, MPI_STATUS_IGNORE);
  if (flag != 0) return true;
  const int64_t begin = now_ns();
  constexpr int kSpins = 200;
  for (int i = 0; flag == 0 && now_ns() - begin < patience_ns; ++i) {
    // The process that we wait for may need this core.
    if (i > kSpins) sched_yield();
    pmpi().Test(request, &flag, MPI_STATUS_IGNORE);
  }
  return flag != 0;
}

void lose_patience(std::atomic<int64_t>& patience_ns) {
  const int64_t half = patience_ns.load(std::memory_order_relaxed) / 2;
  patience_ns.store(half < 1'000'000 ? 0 : half, std::memory_order_relaxed);
}

SendSlot& free_slot(MpiThread& thread) {
  // A few are tried: one message that nobody takes is in the way of itself
  // only.
  constexpr size_t kMostTries = 4;
  std::vector<std::unique_ptr<SendSlot>>& slots = thread.slots;
  for (size_t i = 0; i < std::min(kMostTries, slots.size()); ++i) {
    if (thread.next_slot >= slots.size()) thread.next_slot = 0;
    SendSlot& slot = *slots[thread.next_slot++];
    if (slot.busy) {
      int flag = 0;
      pmpi().Test(&slot.request, &flag, MPI_STATUS_IGNORE);
      slot.busy = flag == 0;
    }
    if (!slot.busy) return slot;
  }
  // All still under way: one more slot, never a wait.
  return *slots.emplace_back(std::make_unique<SendSlot>());
}

bool is_silent(CommInfo& comm, int source, int tag) {
  if (comm.silent_count.load(std::memory_order_relaxed) == 0) return false;
  const MaybeLock lock(comm.silent_mutex);
  for (const Stream& stream : comm.silent) {
    if (stream.source == source && stream.tag == tag) return true;
  }
  return false;
}

// The next clocks of a stream.  They left before the message that the program
// has, so they are here or about to be; where they are not, the sender is one
// that the tool does not see, and nothing more is expected of the stream.
bool receive_next(MpiThread& thread, CommInfo& comm, int source, int tag,
                  ClockMessage* message) {
  if (is_silent(comm, source, tag)) return false;
  const Cost cost(thread);
  MPI_Request request;
  if (pmpi().Irecv(message, sizeof *message, pmpi().byte, source, tag,
                   comm.shadow, &request) != MPI_SUCCESS) {
    return false;
  }
  if (complete_within(&request, comm.patience_ns)) return true;
  pmpi().Cancel(&request);
  MPI_Status status;
  int cancelled = 0;
  pmpi().Wait(&request, &status);
  pmpi().Test_cancelled(&status, &cancelled);
  if (cancelled == 0) return true;
  thread.thread.process().lost_clocks.add(1);
  lose_patience(comm.patience_ns);
  comm.tainted.store(true, std::memory_order_relaxed);
  const MaybeLock lock(comm.silent_mutex);
  comm.silent.push_back({source, tag});
  comm.silent_count.fetch_add(1, std::memory_order_relaxed);
  return false;
}

bool is_wildcard(const Tracked& receive) {
  return receive.peer == MPI_ANY_SOURCE || receive.tag == MPI_ANY_TAG;
}

bool may_match(const Tracked& receive, int source, int tag) {
  return (receive.peer == source || receive.peer == MPI_ANY_SOURCE) &&
         (receive.tag == tag || receive.tag == MPI_ANY_TAG);
}

// How many receives that were posted before `receive` have, or will have,
// messages of this stream that are older than the one that has just come (R3b:
// messages of a stream belong to receives in the order of posting).
int older_receives(const CommInfo& comm, const Tracked* receive, int source,
                   int tag) {
  constexpr int kMostLooks = 64;
  int count = 0;
  int looks = 0;
  for (Tracked* other = comm.oldest; other != nullptr && other != receive;
       other = other->newer) {
    if (++looks > kMostLooks) break;
    if (!may_match(*other, source, tag)) continue;
    if (other->finished) {
      if (other->finished_source == source && other->finished_tag == tag) {
        ++count;
      }
      continue;
    }
    if (other->peer == source && other->tag == tag && !other->cancelled) {
      ++count;
      continue;
    }
    // A wildcard may have matched another stream, or nothing yet; one that is
    // cancelled may never match.
    int flag = 0;
    int cancelled = 0;
    MPI_Status status;
    if (pmpi().Request_get_status(other->request, &flag, &status) !=
            MPI_SUCCESS ||
        flag == 0) {
      continue;
    }
    if (other->cancelled) pmpi().Test_cancelled(&status, &cancelled);
    if (cancelled == 0 && status.MPI_SOURCE == source &&
        status.MPI_TAG == tag) {
      ++count;
    }
  }
  return count;
}

// Takes the clocks of a message that did not come in the order of the posted
// receives, if they have been received before; else receives those of the
// messages before it, and keeps them until their receives complete.  False:
// the next clocks of the stream are the ones.
bool take_early(MpiThread& thread, CommInfo& comm, const Tracked* receive,
                int source, int tag) {
  std::vector<EarlyClocks>& early = comm.early;
  int skip = older_receives(comm, receive, source, tag);
  for (auto place = early.begin(); place != early.end(); ++place) {
    if (place->source != source || place->tag != tag) continue;
    if (skip-- > 0) continue;
    add_arrived(thread, *place->message);
    early.erase(place);
    return true;
  }
  for (; skip > 0; --skip) {
    if (!receive_next(thread, comm, source, tag, &thread.scratch)) return true;
    early.push_back(
        {source, tag, std::make_unique<ClockMessage>(thread.scratch)});
  }
  return false;
}

ShadowOp* new_op(CommInfo& comm) {
  hold_comm(comm);
  const MaybeLock lock(job().mutex);
  std::vector<ShadowOp*>& ops = job().free_ops;
  ShadowOp* op;
  if (ops.empty()) {
    op = new ShadowOp;
  } else {
    op = ops.back();
    ops.pop_back();
  }
  op->comm = &comm;
  return op;
}

// The communicator may be gone after it.
void free_op(ShadowOp* op) {
  release_comm(op->comm);
  const MaybeLock lock(job().mutex);
  job().free_ops.push_back(op);
}

int start_shadow(const CommInfo& comm, Pattern pattern, int root,
                 ShadowOp* op) {
  const Job& j = job();
  switch (pattern) {
    case Pattern::kRootToAll:
      if (comm.rank == root) op->in = op->out;
      return pmpi().Ibcast(&op->in, 1, j.long_type, root, comm.shadow,
                           &op->request);
    case Pattern::kAllToRoot:
      return pmpi().Ireduce(&op->out, &op->in, 1, j.long_type, j.long_op, root,
                            comm.shadow, &op->request);
    case Pattern::kPrefix:
      return pmpi().Iscan(&op->out, &op->in, 1, j.long_type, j.long_op,
                          comm.shadow, &op->request);
    case Pattern::kExclusivePrefix:
      return pmpi().Iexscan(&op->out, &op->in, 1, j.long_type, j.long_op,
                            comm.shadow, &op->request);
    case Pattern::kAllToAll:
      break;
  }
  return pmpi().Iallreduce(&op->out, &op->in, 1, j.long_type, j.long_op,
                           comm.shadow, &op->request);
}

}  // namespace

bool set_up_exchange() {
  Job& j = job();
  const Pmpi& p = pmpi();
  const int short_bytes =
      static_cast<int>(ClockMessage::bytes_for(kShortCapacity));
  const int long_bytes = static_cast<int>(sizeof(ClockMessage));
  static_assert(sizeof(ClockMessage) ==
                ClockMessage::bytes_for(ClockMessage::kCapacity));
  return p.Type_contiguous(short_bytes, p.byte, &j.short_type) ==
             MPI_SUCCESS &&
         p.Type_contiguous(long_bytes, p.byte, &j.long_type) == MPI_SUCCESS &&
         p.Type_commit(&j.short_type) == MPI_SUCCESS &&
         p.Type_commit(&j.long_type) == MPI_SUCCESS &&
         p.Op_create(combine_messages<kShortCapacity>, 1, &j.short_op) ==
             MPI_SUCCESS &&
         p.Op_create(combine_messages<ClockMessage::kCapacity>, 1,
                     &j.long_op) == MPI_SUCCESS;
}

void tear_down_exchange() {
  Job& j = job();
  pmpi().Op_free(&j.short_op);
  pmpi().Op_free(&j.long_op);
  pmpi().Type_free(&j.short_type);
  pmpi().Type_free(&j.long_type);
}

void send_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag) {
  const Cost cost(thread);
  if (!thread.late.empty()) drain_late(thread);
  SendSlot& slot = free_slot(thread);
  thread.thread.store_to(slot.message);
  slot.busy = pmpi().Isend(&slot.message,
                           static_cast<int>(slot.message.bytes()), pmpi().byte,
                           dest, tag, comm.shadow,
                           &slot.request) == MPI_SUCCESS;
}

void forget_sends(MpiThread& thread) {
  for (const std::unique_ptr<SendSlot>& slot : thread.slots) {
    int flag = 1;
    if (slot->busy) pmpi().Test(&slot->request, &flag, MPI_STATUS_IGNORE);
    // Nobody has taken it, or will; its buffer is never freed.
    if (flag == 0) pmpi().Request_free(&slot->request);
    slot->busy = false;
  }
}

void take_clocks(MpiThread& thread, CommInfo& comm, const Tracked* receive,
                 int source, int tag) {
  ClockMessage& message = thread.scratch;
  // With several threads in MPI nobody knows the order of posting, and a wrong
  // guess would be a wait for clocks that were never sent: each takes the next
  // of the stream, which may be too early, never too late.
  const bool in_order =
      job().multiple || (comm.oldest == receive && comm.early.empty());
  if (!in_order && take_early(thread, comm, receive, source, tag)) return;
  if (receive_next(thread, comm, source, tag, &message)) {
    add_arrived(thread, message);
  }
}

void add_posted(CommInfo& comm, Tracked* receive) {
  if (job().multiple) return;
  receive->posted = true;
  if (is_wildcard(*receive)) ++job().posted_wildcards;
  receive->newer = nullptr;
  receive->older = comm.newest;
  (comm.newest != nullptr ? comm.newest->newer : comm.oldest) = receive;
  comm.newest = receive;
}

void replace_posted(CommInfo& comm, Tracked* receive, Tracked* by) {
  by->posted = true;
  by->older = receive->older;
  by->newer = receive->newer;
  (by->older != nullptr ? by->older->newer : comm.oldest) = by;
  (by->newer != nullptr ? by->newer->older : comm.newest) = by;
  receive->posted = false;
}

void remove_posted(CommInfo& comm, Tracked* receive) {
  if (!receive->posted) return;
  receive->posted = false;
  if (is_wildcard(*receive)) --job().posted_wildcards;
  (receive->older != nullptr ? receive->older->newer : comm.oldest) =
      receive->newer;
  (receive->newer != nullptr ? receive->newer->older : comm.newest) =
      receive->older;
}

bool exchange_with_all(MpiThread& thread, CommInfo& comm) {
  const Cost cost(thread);
  drain_late(thread);
  Job& j = job();
  ClockMessage out;
  ClockMessage& in = thread.scratch;
  // The result is the same on all processes, and so is the choice.
  if (!comm.many_regions) {
    thread.thread.store_to(out, kShortCapacity);
    if (pmpi().Allreduce(&out, &in, 1, j.short_type, j.short_op,
                         comm.shadow) != MPI_SUCCESS) {
      return false;
    }
    comm.many_regions = in.incomplete != 0;
  }
  if (comm.many_regions) {
    thread.thread.store_to(out);
    if (pmpi().Allreduce(&out, &in, 1, j.long_type, j.long_op, comm.shadow) !=
        MPI_SUCCESS) {
      return false;
    }
  }
  add_arrived(thread, in);
  return true;
}

ShadowOp* begin_collective(MpiThread& thread, CommInfo& comm, Pattern pattern,
                           int root, const Edges& edges) {
  const Cost cost(thread);
  drain_late(thread);
  ShadowOp* const op = new_op(comm);
  op->out.count = op->out.incomplete = 0;
  if (edges.contributes) thread.thread.store_to(op->out);
  op->wanted = edges.receives;
  if (pattern == Pattern::kRootToAll) op->wanted &= comm.rank != root;
  if (pattern == Pattern::kAllToRoot) op->wanted &= comm.rank == root;
  if (pattern == Pattern::kExclusivePrefix) op->wanted &= comm.rank != 0;
  if (start_shadow(comm, pattern, root, op) == MPI_SUCCESS) return op;
  free_op(op);
  return nullptr;
}

void finish_collective(MpiThread& thread, CommInfo& comm, ShadowOp* op) {
  if (op == nullptr) return;
  const Cost cost(thread);
  // Who depends on nobody does not wait.
  if (complete_within(&op->request,
                      op->wanted ? comm.collective_patience_ns.load() : 0)) {
    if (op->wanted) add_arrived(thread, op->in);
    free_op(op);
    return;
  }
  if (op->wanted) {
    lose_patience(comm.collective_patience_ns);
    thread.thread.book(now_ns());
    op->event = thread.thread.moment();
  }
  thread.late.push_back(op);
}

void drain_late(MpiThread& thread) {
  std::vector<ShadowOp*>& late = thread.late;
  size_t kept = 0;
  // A root that runs ahead may have many under way, which complete in order:
  // behind the first that is not, only those matter whose result is wanted.
  bool more = true;
  for (ShadowOp* op : late) {
    int flag = 0;
    if (more || op->wanted) {
      pmpi().Test(&op->request, &flag, MPI_STATUS_IGNORE);
    }
    if (flag == 0) {
      more = false;
      late[kept++] = op;
      continue;
    }
    if (op->wanted) thread.thread.merge_late(op->in, op->event);
    free_op(op);
  }
  late.resize(kept);
}

void drain_last(MpiThread& thread) {
  constexpr int64_t kPatience_ns = 200'000'000;
  const int64_t begin = now_ns();
  for (drain_late(thread);
       !thread.late.empty() && now_ns() - begin < kPatience_ns;
       drain_late(thread)) {
    sched_yield();
  }
  for (const ShadowOp* op : thread.late) {
    if (op->wanted) thread.thread.process().lost_clocks.add(1);
  }
}

int pairwise_tag(CommInfo& comm) {
  return job().tag_limit + 1 +
         static_cast<int>(comm.pairwise_calls++ % kPairwiseTags);
}

void send_pairwise(MpiThread& thread, CommInfo& comm, const Links& links,
                   int tag) {
  for (int dest : links.to) send_clocks(thread, comm, dest, tag);
}

void take_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& sources, int tag) {
  for (int source : sources) {
    if (receive_next(thread, comm, source, tag, &thread.scratch)) {
      add_arrived(thread, thread.scratch);
    }
  }
}

}  // namespace poprt::mpi
