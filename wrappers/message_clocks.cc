// Clocks beside messages of the program, and where data moves pairwise.
#include <algorithm>

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/exchange_tools.h"
#include "wrappers/node.h"
#include "wrappers/posted_receives.h"

namespace poprt::mpi {
namespace {

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

void send_slot(const CommInfo& comm, SendSlot& slot, int dest, int tag) {
  slot.busy =
      pmpi().Isend(&slot.message, static_cast<int>(slot.message.bytes()),
                   pmpi().byte, dest, tag, comm.shadow,
                   &slot.request) == MPI_SUCCESS;
}

// Clocks that receive_next() takes on the other side.
void send_ordered(MpiThread& thread, CommInfo& comm, int dest, int tag,
                  const ClockMessage& clocks) {
  if (put_on_node(comm, dest, tag, clocks)) return;
  SendSlot& slot = free_slot(thread);
  slot.message = clocks;
  send_slot(comm, slot, dest, tag);
}

// The sender of a synchronous message depends on its receive having been
// posted: answers with the clocks of then.
void answer(MpiThread& thread, const CommInfo& comm, const Tracked* receive,
            int source, int reply_tag) {
  SendSlot& slot = free_slot(thread);
  ClockMessage& message = slot.message;
  if (receive == nullptr) {
    store_current(thread, message);  // posted when this call began
  } else {
    message.count = receive->posted_clock_count;
    message.incomplete = 0;
    std::copy_n(receive->posted_clocks.begin(), message.count, message.entries);
  }
  message.reply_tag = 0;
  send_slot(comm, slot, source, reply_tag);
}

// The clocks of a message of the program are here.
void accept(MpiThread& thread, const CommInfo& comm, const Tracked* receive,
            int source, const ClockMessage& message) {
  if (&message != &thread.arrived) add_arrived(thread, message);
  if (message.reply_tag != 0) {
    answer(thread, comm, receive, source, message.reply_tag);
  }
}

bool is_silent(CommInfo& comm, int source, int tag) {
  if (comm.silent_count.load(std::memory_order_relaxed) == 0) return false;
  const MaybeLock lock(comm.stream_mutex);
  for (const Stream& stream : comm.silent) {
    if (stream.peer == source && stream.tag == tag) return true;
  }
  return false;
}

// The clocks of a refused message are under way: they are this message's.
bool take_owed(CommInfo& comm, int dest, int tag) {
  if (comm.owed_count.load(std::memory_order_relaxed) == 0) return false;
  const MaybeLock lock(comm.stream_mutex);
  for (Stream& stream : comm.owed) {
    if (stream.peer != dest || stream.tag != tag) continue;
    stream = comm.owed.back();
    comm.owed.pop_back();
    comm.owed_count.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

// The next clocks of a stream.  They left before the message that the program
// has, so they are here or about to be; where they are not, the sender is one
// that the tool does not see, and nothing more is expected of the stream.
bool receive_next(MpiThread& thread, CommInfo& comm, int source, int tag,
                  ClockMessage* message) {
  if (is_silent(comm, source, tag)) return false;
  if (take_on_node(comm, source, tag, message)) return true;
  const Cost cost(thread);
  MPI_Request request;
  if (pmpi().Irecv(message, sizeof *message, pmpi().byte, source, tag,
                   comm.shadow, &request) != MPI_SUCCESS) {
    return false;
  }
  int cancelled = 0;
  if (!complete_within(&request, comm.patience_ns)) {
    MPI_Status status;
    pmpi().Cancel(&request);
    pmpi().Wait(&request, &status);
    pmpi().Test_cancelled(&status, &cancelled);
  }
  if (cancelled == 0) {
    taken_by_message(comm, source);
    return true;
  }
  thread.thread.process().lost_clocks.add(1);
  lose_patience(comm.patience_ns);
  taint(comm);
  const MaybeLock lock(comm.stream_mutex);
  comm.silent.push_back({source, tag});
  comm.silent_count.fetch_add(1, std::memory_order_relaxed);
  return false;
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
    accept(thread, comm, receive, source, *place->message);
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

}  // namespace

bool send_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                 int reply_tag) {
  const Cost cost(thread);
  if (take_owed(comm, dest, tag)) return false;
  ClockMessage& clocks = thread.scratch;
  store_current(thread, clocks);
  clocks.reply_tag = reply_tag;
  send_ordered(thread, comm, dest, tag, clocks);
  return true;
}

void send_kept_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                      const ClockMessage& clocks) {
  thread.scratch = clocks;
  thread.scratch.reply_tag = 0;
  send_ordered(thread, comm, dest, tag, thread.scratch);
}

void owe_message(CommInfo& comm, int dest, int tag) {
  taint(comm);
  const MaybeLock lock(comm.stream_mutex);
  comm.owed.push_back({dest, tag});
  comm.owed_count.fetch_add(1, std::memory_order_relaxed);
}

int new_reply_tag(MpiThread& thread, CommInfo& comm) {
  constexpr int kMostLate = 64;
  if (thread.late_replies >= kMostLate) return 0;
  return own_tag(TagKind::kReply, comm.replies.fetch_add(1));
}

void take_soon(MpiThread& thread, CommInfo& comm, int source, int tag) {
  constexpr int64_t kPatience_ns = 20'000;
  ShadowOp* const op = new_op(thread, comm);
  op->wanted = op->reply = true;
  if (pmpi().Irecv(&op->in, sizeof op->in, pmpi().byte, source, tag,
                   comm.shadow, &op->request) != MPI_SUCCESS) {
    free_op(thread, op);
  } else if (complete_within(&op->request, kPatience_ns)) {
    add_arrived(thread, op->in);
    free_op(thread, op);
  } else {
    ++thread.late_replies;
    put_off(thread, op);
  }
}

void keep_posted_clocks(MpiThread& thread, Tracked* receive) {
  if (!thread.late.empty()) drain_late(thread);
  std::vector<ClockEntry>& clocks = receive->posted_clocks;
  const auto most = static_cast<size_t>(thread.thread.travelling_regions());
  if (clocks.size() < most) clocks.resize(most);
  int32_t incomplete;
  receive->posted_clock_count = thread.thread.store_to(
      clocks.data(), static_cast<int>(clocks.size()), &incomplete);
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
  // Straight to where it is wanted, if nothing else has arrived in this call.
  ClockMessage& message =
      thread.arrived.count == 0 ? thread.arrived : thread.scratch;
  // With several threads in MPI nobody knows the order of posting, and a wrong
  // guess would be a wait for clocks that were never sent: each takes the next
  // of the stream, which may be too early, never too late.
  const bool in_order =
      job().multiple || (comm.oldest == receive && comm.early.empty());
  if (!in_order && take_early(thread, comm, receive, source, tag)) return;
  if (receive_next(thread, comm, source, tag, &message)) {
    accept(thread, comm, receive, source, message);
  }
}

int pairwise_tag(CommInfo& comm) {
  return own_tag(TagKind::kPairwise, comm.pairwise_calls++);
}

void send_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& targets, int tag) {
  for (int dest : targets) send_clocks(thread, comm, dest, tag);
}

void unsend_pairwise(CommInfo& comm, const std::vector<int>& targets, int tag) {
  for (int dest : targets) owe_message(comm, dest, tag);
  --comm.pairwise_calls;
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
