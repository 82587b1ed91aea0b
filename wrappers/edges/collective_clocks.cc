// Clocks of collectives, on the shadow communicator.
#include <sched.h>

#include <atomic>
#include <utility>

#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/exchange_tools.h"

namespace poprt::mpi {
namespace {

// The function for MPI_Op_create: combines messages element by element.
// `kRoom`: for entries in a message, with those of the longest path.
// `kTellsLatest`: the result also has the mark of the message with the latest
// clocks (Cost).
template <int kMessageCapacity, int kRoom, bool kTellsLatest>
void combine_messages(void* in, void* inout, int* length, MPI_Datatype*) {
  constexpr size_t kBytes = ClockMessage::bytes_for(kRoom);
  for (int i = 0; i < *length; ++i) {
    const size_t offset = static_cast<size_t>(i) * kBytes;
    auto& into =
        *reinterpret_cast<ClockMessage*>(static_cast<char*>(inout) + offset);
    const auto& from =
        *reinterpret_cast<const ClockMessage*>(static_cast<char*>(in) + offset);
    if constexpr (kTellsLatest) {
      if (latest_of(from) > latest_of(into)) into.reply_tag = from.reply_tag;
    }
    merge(into, from, kMessageCapacity);
  }
}

template <int kMessageCapacity, int kRoom = kMessageCapacity>
MPI_User_function* combination() {
  return call_sites_wanted() ? combine_messages<kMessageCapacity, kRoom, true>
                             : combine_messages<kMessageCapacity, kRoom, false>;
}

int start_shadow(const CommInfo& comm, Pattern pattern, int root,
                 ShadowOp* op) {
  const ClockTypes& types = job().edges.types;
  switch (pattern) {
    case Pattern::kRootToAll:
      if (is_root(comm, root)) op->in = op->out;
      return pmpi().Ibcast(&op->in, 1, types.long_type, root, comm.shadow,
                           &op->request);
    case Pattern::kAllToRoot:
      return pmpi().Ireduce(&op->out, &op->in, 1, types.long_type,
                            types.long_op, root, comm.shadow, &op->request);
    case Pattern::kPrefix:
      return pmpi().Iscan(&op->out, &op->in, 1, types.long_type, types.long_op,
                          comm.shadow, &op->request);
    case Pattern::kExclusivePrefix:
      return pmpi().Iexscan(&op->out, &op->in, 1, types.long_type,
                            types.long_op, comm.shadow, &op->request);
    case Pattern::kAllToAll:
      break;
  }
  return pmpi().Iallreduce(&op->out, &op->in, 1, types.long_type, types.long_op,
                           comm.shadow, &op->request);
}

}  // namespace

bool set_up_exchange() {
  ClockTypes& types = job().edges.types;
  const Pmpi& p = pmpi();
  const int short_bytes =
      static_cast<int>(ClockMessage::bytes_for(kShortCapacity));
  // Only where the longest path is followed, its parts need room.
  const bool has_parts = measured_process().path_choice().composition();
  constexpr int kCapacity = ClockMessage::kCapacity;
  constexpr int kLongest = ClockMessage::kLongest;
  const int long_bytes = static_cast<int>(
      ClockMessage::bytes_for(has_parts ? kLongest : kCapacity));
  static_assert(sizeof(ClockMessage) >= ClockMessage::bytes_for(kLongest));
  return p.Type_contiguous(short_bytes, p.byte, &types.short_type) ==
             MPI_SUCCESS &&
         p.Type_contiguous(long_bytes, p.byte, &types.long_type) ==
             MPI_SUCCESS &&
         p.Type_commit(&types.short_type) == MPI_SUCCESS &&
         p.Type_commit(&types.long_type) == MPI_SUCCESS &&
         p.Op_create(combination<kShortCapacity>(), 1, &types.short_op) ==
             MPI_SUCCESS &&
         p.Op_create(has_parts ? combination<kCapacity, kLongest>()
                               : combination<kCapacity>(),
                     1, &types.long_op) == MPI_SUCCESS;
}

void tear_down_exchange() {
  ClockTypes& types = job().edges.types;
  pmpi().Op_free(&types.short_op);
  pmpi().Op_free(&types.long_op);
  pmpi().Type_free(&types.short_type);
  pmpi().Type_free(&types.long_type);
}

void contribute(MpiThread& thread, const CommInfo& comm, ClockMessage& out) {
  store_current(thread, out,
                comm.edges.collectives.many_regions ? ClockMessage::kCapacity
                                                    : kShortCapacity);
}

namespace {

// Marks a message of meet_all().
constexpr int32_t kMeets = int32_t{1} << 30;
// As long as a process is waited for that has made its call past the tool.
constexpr int64_t kMeetingPatienceNs = 5'000'000'000;

// The two reductions of a meeting.  MPI may write to it for ever, if not all
// processes come.
struct Meeting {
  ClockMessage out;
  ClockMessage in;
  int came = 0;
  int all_came = 0;
  MPI_Request first{};
  MPI_Request second{};
  Meeting* given_up_before = nullptr;
};

// The last one that was given up: all that were are kept.
constinit std::atomic<Meeting*> g_given_up{nullptr};

void give_up(Meeting* meeting) {
  meeting->given_up_before = g_given_up.load();
  while (!g_given_up.compare_exchange_weak(meeting->given_up_before, meeting)) {
  }
}

// Tells the others in a meeting whether this process has seen them all.
void vote(Meeting& meeting, const CommInfo& comm) {
  pmpi().Iallreduce(&meeting.came, &meeting.all_came, 1, pmpi().int_type,
                    pmpi().min, comm.shadow, &meeting.second);
}

bool lose_meeting(MpiThread& thread, CommInfo& comm) {
  lose_comm(comm);
  lose_partner(thread);
  return false;
}

bool is_meeting(const ClockMessage& message) {
  return (message.incomplete & kMeets) != 0;
}

// This process has taken the others' meeting, of which it knows nothing, for
// another call.
bool miss_meeting(MpiThread& thread, CommInfo& comm) {
  auto* const meeting = new Meeting;
  vote(*meeting, comm);
  give_up(meeting);
  return lose_meeting(thread, comm);
}

// The first reduction has come to its end, so all have begun it, and each will
// vote, whatever it waits for.
bool all_came(Meeting& meeting) {
  pmpi().Wait(&meeting.second, MPI_STATUS_IGNORE);
  return meeting.all_came != 0;
}

}  // namespace

bool meet_all(MpiThread& thread, CommInfo& comm, ClockMessage& out) {
  // An operation on the program's own communicator could not be given up.
  if (comm.for_all == comm.comm) return exchange_with_all(thread, comm, out);
  look_for_due_work(thread.thread.last_event_ns());
  auto* const meeting = new Meeting;
  meeting->out = out;
  meeting->out.incomplete |= kMeets;
  bool& many = comm.edges.collectives.many_regions;
  bool is_short = false;
  {
    const Cost cost(thread, comm, &meeting->out, &meeting->in);
    const ClockTypes& types = job().edges.types;
    if (pmpi().Iallreduce(&meeting->out, &meeting->in, 1,
                          many ? types.long_type : types.short_type,
                          many ? types.long_op : types.short_op, comm.shadow,
                          &meeting->first) != MPI_SUCCESS) {
      delete meeting;
      return false;
    }
    meeting->came = complete_within(&meeting->first, kMeetingPatienceNs);
    vote(*meeting, comm);
    if (meeting->came == 0 || !all_came(*meeting)) {
      give_up(meeting);
      return lose_meeting(thread, comm);
    }
    meeting->in.incomplete &= ~kMeets;
    is_short = !many && meeting->in.incomplete != 0;
    if (!is_short) add_arrived(thread, meeting->in);
  }
  delete meeting;
  if (!is_short) return true;
  many = true;
  store_current(thread, out);
  return exchange_with_all(thread, comm, out);
}

bool exchange_with_all(MpiThread& thread, CommInfo& comm, ClockMessage& out,
                       Reduction reduction) {
  look_for_due_work(thread.thread.last_event_ns());
  ClockMessage& in = thread.edges.scratch;
  Cost cost(thread, comm, &out, &in);
  const ClockTypes& types = job().edges.types;
  // The first one waits for all.
  int64_t call_ns =
      reduction == Reduction::kIsCall ? cost.call_begins() : Cost::kNotTimed;
  const auto reduce = [&](MPI_Datatype type, MPI_Op op) {
    const int code = pmpi().Allreduce(&out, &in, 1, type, op, comm.for_all);
    cost.call_ended(std::exchange(call_ns, Cost::kNotTimed));
    return code == MPI_SUCCESS;
  };
  // The result is the same on all processes, so all take the same branch.
  if (!comm.edges.collectives.many_regions) {
    if (!reduce(types.short_type, types.short_op)) return false;
    if (is_meeting(in)) return miss_meeting(thread, comm);
    comm.edges.collectives.many_regions = in.incomplete != 0;
    if (comm.edges.collectives.many_regions) store_current(thread, out);
  }
  if (comm.edges.collectives.many_regions) {
    if (!reduce(types.long_type, types.long_op)) return false;
    if (is_meeting(in)) return miss_meeting(thread, comm);
  }
  add_arrived(thread, in);
  return true;
}

ShadowOp* begin_collective(MpiThread& thread, CommInfo& comm, Pattern pattern,
                           int root, const Edges& edges) {
  look_for_due_work(thread.thread.last_event_ns());
  ShadowOp* const op = new_op(thread, comm);
  const Cost cost(thread, comm, &op->out, nullptr);
  drain_late(thread);
  op->out.count = op->out.incomplete = 0;
  if (edges.contributes) thread.thread.store_to(op->out);
  op->wanted = edges.receives;
  op->relays = pattern == Pattern::kAllToRoot;
  if (pattern == Pattern::kRootToAll) op->wanted &= !is_root(comm, root);
  if (pattern == Pattern::kAllToRoot) op->wanted &= is_root(comm, root);
  if (root == MPI_PROC_NULL) op->wanted = false;
  if (pattern == Pattern::kExclusivePrefix) op->wanted &= comm.rank != 0;
  if (start_shadow(comm, pattern, root, op) == MPI_SUCCESS) return op;
  free_op(thread, op);
  return nullptr;
}

void finish_collective(MpiThread& thread, CommInfo& comm, ShadowOp* op) {
  if (op == nullptr) return;
  const Cost cost(thread, comm, nullptr, &op->in);
  // A process that depends on no other stays only to pass on what others have
  // sent before the program's call could return.
  std::atomic<int64_t>& patience_ns =
      op->wanted ? comm.edges.collectives.patience_ns
                 : comm.edges.collectives.relay_patience_ns;
  const int64_t limit_ns =
      op->wanted || op->relays ? patience_ns.load() : int64_t{0};
  if (complete_within(&op->request, limit_ns)) {
    if (op->wanted) add_arrived(thread, op->in);
    free_op(thread, op);
    return;
  }
  if (limit_ns > 0) lose_patience(patience_ns);
  put_off(thread, op);
}

ShadowOp* prepare_reduction(MpiThread& thread, CommInfo& comm) {
#if defined(POPRT_HAS_MPI_Allreduce_init)
  ShadowOp* const op = new_op(thread, comm);
  if (pmpi().Allreduce_init(&op->out, &op->in, 1, job().edges.types.long_type,
                            job().edges.types.long_op, comm.shadow,
                            pmpi().info_null, &op->request) == MPI_SUCCESS) {
    return op;
  }
  free_op(thread, op);
#else
  (void)thread;
  (void)comm;
#endif
  return nullptr;
}

void forget_reduction(MpiThread& thread, ShadowOp* op) {
  // MPI must not free an operation that is under way.
  if (op->started && !complete_within(&op->request, 0)) return;
  pmpi().Request_free(&op->request);
  free_op(thread, op);
}

void start_persistent(MpiThread& thread, CommInfo& comm,
                      PersistentExchange& exchange) {
  send_pairwise(thread, comm, exchange.targets, exchange.tag);
  ShadowOp* const op = exchange.op;
  if (op == nullptr) return;
  const Cost cost(thread, comm, &op->out, nullptr);
  drain_late(thread);
  // The last operation may still wait for a process that has not been in MPI
  // since.  All processes have started it.
  if (op->started) pmpi().Wait(&op->request, MPI_STATUS_IGNORE);
  op->out.count = op->out.incomplete = 0;
  if (exchange.contributes) thread.thread.store_to(op->out);
  op->started = pmpi().Start(&op->request) == MPI_SUCCESS;
}

void finish_persistent(MpiThread& thread, CommInfo& comm,
                       PersistentExchange& exchange) {
  take_pairwise(thread, comm, exchange.sources, exchange.tag);
  ShadowOp* const op = exchange.op;
  if (op == nullptr || !op->started) return;
  const Cost cost(thread, comm, nullptr, &op->in);
  if (complete_within(&op->request, comm.edges.collectives.patience_ns)) {
    op->started = false;
    if (op->wanted) add_arrived(thread, op->in);
  } else {
    lose_patience(comm.edges.collectives.patience_ns);
    thread.thread.process().lost_clocks.add(1);
    lose_partner(thread);
  }
}

namespace {

// Whether a late operation is complete.  It may never be, as the answer to a
// message whose receiver has given it up, and where there are more ranks than
// cores MPI gives the core away at each look.  So the longer it has been looked
// for, the longer it is left alone: a 64th of that time.
bool has_arrived(ShadowOp& op) {
  const int64_t looked_for_ns = op.last_look_ns - op.first_look_ns;
  if (looked_for_ns > 0 && (now_ns() - op.last_look_ns) * 64 < looked_for_ns) {
    return false;
  }
  int flag = 0;
  pmpi().Test(&op.request, &flag, MPI_STATUS_IGNORE);
  if (flag != 0) return true;
  op.last_look_ns = now_ns();
  if (op.first_look_ns == 0) op.first_look_ns = op.last_look_ns;
  return false;
}

}  // namespace

void drain_late(MpiThread& thread) {
  std::vector<ShadowOp*>& late = thread.edges.late;
  size_t kept = 0;
  size_t next = 0;
  // A root that runs ahead may have many collective operations under way, which
  // complete in order.  After the first one that is not complete, only those
  // whose result is wanted are tested.
  bool more = true;
  while (next < late.size()) {
    ShadowOp* const op = late[next++];
    if ((!more && !op->wanted) || !has_arrived(*op)) {
      more = more && op->reply;
      late[kept++] = op;
      continue;
    }
    if (op->wanted) {
      thread.thread.merge_as_of(op->in, op->event);
      thread.waits.merge_late(op->in, op->event, op->wait);
      for (size_t i = 0; i < late.size(); ++i) {
        if (i < kept || i >= next) MpiWaits::shorten(op->wait, &late[i]->wait);
      }
    }
    if (op->reply) --thread.edges.late_replies;
    free_op(thread, op);
  }
  late.resize(kept);
}

void drain_arrived(MpiThread& thread) {
  ShadowOp* const first = thread.edges.late.front();
  if (first->wanted && has_arrived(*first)) drain_late(thread);
}

void drain_last(MpiThread& thread) {
  constexpr int64_t kPatience_ns = 200'000'000;
  const int64_t begin = now_ns();
  for (ShadowOp* op : thread.edges.late) op->first_look_ns = op->last_look_ns;
  for (drain_late(thread);
       !thread.edges.late.empty() && now_ns() - begin < kPatience_ns;
       drain_late(thread)) {
    sched_yield();
  }
  forget_late(thread);
}

void forget_late(MpiThread& thread) {
  for (ShadowOp* op : thread.edges.late) {
    if (op->reply) {
      pmpi().Cancel(&op->request);
      pmpi().Wait(&op->request, MPI_STATUS_IGNORE);
    }
    if (!op->wanted) continue;
    thread.thread.process().lost_clocks.add(1);
    thread.waits.lose_late(op->wait);
  }
  thread.edges.late.clear();
}

}  // namespace poprt::mpi
