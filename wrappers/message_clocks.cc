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

// What receivers have given up, on this communicator, since the last look.
void take_stops(CommInfo& comm) {
  ClockMessage stop;
  for (;;) {
    int flag = 0;
    MPI_Message message;
    MPI_Status status;
    if (pmpi().Improbe(MPI_ANY_SOURCE, stop_tag(), comm.shadow, &flag, &message,
                       &status) != MPI_SUCCESS ||
        flag == 0 ||
        pmpi().Mrecv(&stop, sizeof stop, pmpi().byte, &message, &status) !=
            MPI_SUCCESS) {
      return;
    }
    const MaybeLock lock(comm.stream_mutex);
    comm.stopped.add(status.MPI_SOURCE, stop.reply_tag);
  }
}

bool is_stopped(CommInfo& comm, int dest, int tag) {
  constexpr uint32_t kEvery = 64;
  const uint32_t sent =
      comm.sent_by_message.load(std::memory_order_relaxed) + 1;
  comm.sent_by_message.store(sent, std::memory_order_relaxed);
  if (sent % kEvery == 0) take_stops(comm);
  if (comm.stopped.empty()) return false;
  const MaybeLock lock(comm.stream_mutex);
  return comm.stopped.has(dest, tag);
}

// Clocks that receive_next() takes on the other side.
void send_ordered(MpiThread& thread, CommInfo& comm, int dest, int tag,
                  const ClockMessage& clocks) {
  if (put_on_node(comm, dest, tag, clocks) != Sent::kByMessage ||
      is_stopped(comm, dest, tag)) {
    return;
  }
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

// The clocks of a refused message are under way: they are this message's.
bool take_owed(CommInfo& comm, int dest, int tag) {
  if (comm.owed.empty()) return false;
  const MaybeLock lock(comm.stream_mutex);
  return comm.owed.take(dest, tag);
}

bool is_given_up(CommInfo& comm, int source, int tag) {
  if (comm.given_up.empty()) return false;
  const MaybeLock lock(comm.stream_mutex);
  return comm.given_up.has(source, tag);
}

// Nothing more is expected of a stream: its sender is told, and never sends
// again what would only pile up here.
void give_up(MpiThread& thread, CommInfo& comm, int source, int tag) {
  thread.thread.process().lost_clocks.add(1);
  taint(comm);
  int told;
  {
    const MaybeLock lock(comm.stream_mutex);
    told = comm.given_up.give_up(source, tag);
  }
  if (give_up_on_node(comm, source, tag)) return;
  SendSlot& slot = free_slot(thread);
  slot.message.count = slot.message.incomplete = 0;
  slot.message.reply_tag = told;
  send_slot(comm, slot, source, stop_tag());
}

// A message of a stream that is given up: of the clocks that its sender had
// sent before it knew, it takes one, so that none are left.
void take_leftover(MpiThread& thread, CommInfo& comm, int source, int tag) {
  const Cost cost(thread);
  ClockMessage& leftover = thread.scratch;
  int flag = 0;
  MPI_Message message;
  if (take_on_node(comm, source, tag, &leftover) == Taken::kYes ||
      pmpi().Improbe(source, tag, comm.shadow, &flag, &message,
                     MPI_STATUS_IGNORE) != MPI_SUCCESS ||
      flag == 0) {
    return;
  }
  pmpi().Mrecv(&leftover, sizeof leftover, pmpi().byte, &message,
               MPI_STATUS_IGNORE);
  taken_by_message(comm, source);
}

// The next clocks of a stream.  They left before the message that the program
// has, so they are here or about to be; where they are not, the sender is one
// that the tool does not see, and nothing more is expected of the stream.
bool receive_next(MpiThread& thread, CommInfo& comm, int source, int tag,
                  ClockMessage* message) {
  if (is_given_up(comm, source, tag)) {
    take_leftover(thread, comm, source, tag);
    return false;
  }
  switch (take_on_node(comm, source, tag, message)) {
    case Taken::kYes:
      return true;
    case Taken::kNo:
      break;
    case Taken::kClosing:
      thread.thread.process().lost_clocks.add(1);
      [[fallthrough]];
    case Taken::kClosed:
      take_leftover(thread, comm, source, tag);
      return false;
  }
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
  lose_patience(comm.patience_ns);
  give_up(thread, comm, source, tag);
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
  comm.owed.add(dest, tag);
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
  const auto most = static_cast<size_t>(thread.thread.travelling_entries());
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
