// Clocks of messages and of pairwise exchanges.
#include <algorithm>

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/exchange_tools.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/node.h"
#include "wrappers/posted_receives.h"
#include "wrappers/shared_shadow.h"

namespace poprt::mpi {
namespace {

SendSlot& free_slot(MpiThread& thread) {
  // Only a few slots are tried, so that a message that is never received blocks
  // only its own slot.
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
  // All are still being sent: add a slot and never wait.
  return *slots.emplace_back(std::make_unique<SendSlot>());
}

// `dest` is a rank on the shadow.
void send_slot(const CommInfo& comm, SendSlot& slot, int dest, int tag) {
  const ClockMessage& message = slot.labelled.clocks;
  slot.busy =
      pmpi().Isend(&message, static_cast<int>(message.bytes()), pmpi().byte,
                   dest, tag, comm.shadow, &slot.request) == MPI_SUCCESS;
}

void send_labelled(MpiThread& thread, const CommInfo& comm, int dest, int tag,
                   const ClockMessage& clocks) {
  SendSlot& slot = free_slot(thread);
  LabelledClocks& labelled = slot.labelled;
  const Label label{comm.key, tag};
  labelled.clocks = clocks;
  labelled.put_label(label);
  slot.busy =
      pmpi().Isend(&labelled, static_cast<int>(labelled.bytes()), pmpi().byte,
                   rank_on_shadow(comm, dest), shared_tag(label), comm.shadow,
                   &slot.request) == MPI_SUCCESS;
}

// Takes the notices of receivers that have given up streams on this
// communicator.
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

// Looks for notices now and then.
void count_send(CommInfo& comm) {
  constexpr uint32_t kEvery = 64;
  const uint32_t sent =
      comm.sent_by_message.load(std::memory_order_relaxed) + 1;
  comm.sent_by_message.store(sent, std::memory_order_relaxed);
  if (sent % kEvery == 0) take_stops(comm);
}

bool is_stopped(CommInfo& comm, int dest, int tag) {
  if (comm.stopped.empty()) return false;
  const MaybeLock lock(comm.stream_mutex);
  return comm.stopped.has(dest, tag);
}

// Sends clocks that receive_next() takes on the other side.
void send_ordered(MpiThread& thread, CommInfo& comm, int dest, int tag,
                  const ClockMessage& clocks) {
  if (put_on_node(comm, dest, tag, clocks) != Sent::kByMessage) return;
  // On a shared shadow there are no notices.
  if (comm.carrier == nullptr) count_send(comm);
  if (is_stopped(comm, dest, tag)) return;
  if (comm.carrier != nullptr) [[unlikely]] {
    return send_labelled(thread, comm, dest, tag, clocks);
  }
  SendSlot& slot = free_slot(thread);
  slot.labelled.clocks = clocks;
  send_slot(comm, slot, dest, tag);
}

// Answers the sender of a synchronous message, which depends on the receive
// having been posted, with the clocks of that moment.
void answer(MpiThread& thread, const CommInfo& comm, const Tracked* receive,
            int source, int reply_tag) {
  SendSlot& slot = free_slot(thread);
  ClockMessage& message = slot.labelled.clocks;
  if (receive == nullptr) {
    // a blocking receive was posted when this call began
    store_current(thread, message);
  } else {
    message.count = receive->posted_clock_count;
    message.incomplete = 0;
    std::copy_n(receive->posted_clocks.begin(), message.count, message.entries);
  }
  message.reply_tag = 0;
  send_slot(comm, slot, rank_on_shadow(comm, source), reply_tag);
}

// The clocks of a message of the program have arrived.
void accept(MpiThread& thread, const CommInfo& comm, const Tracked* receive,
            int source, const ClockMessage& message) {
  if (&message != &thread.arrived) add_arrived(thread, message);
  if (message.reply_tag != 0) {
    answer(thread, comm, receive, source, message.reply_tag);
  }
}

// A refused message has left clocks that this message uses.
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

// Gives up a stream, and tells the sender, so that it sends no more clocks that
// nothing would take.  On a shared shadow it is not told: clocks that still
// come are taken, one for each message (take_leftover()).
void give_up(MpiThread& thread, CommInfo& comm, int source, int tag) {
  thread.thread.process().lost_clocks.add(1);
  taint(comm);
  int told;
  {
    const MaybeLock lock(comm.stream_mutex);
    told = comm.given_up.give_up(source, tag);
  }
  if (give_up_on_node(comm, source, tag) || comm.carrier != nullptr) return;
  SendSlot& slot = free_slot(thread);
  ClockMessage& message = slot.labelled.clocks;
  message.count = message.incomplete = 0;
  message.reply_tag = told;
  send_slot(comm, slot, source, stop_tag());
}

// A message of a stream that is given up.  It takes one message of the clocks
// that the sender had sent before it knew, so that none of them are left.
void take_leftover(MpiThread& thread, CommInfo& comm, int source, int tag) {
  const Cost cost(thread);
  ClockMessage& leftover = thread.scratch;
  if (take_on_node(comm, source, tag, &leftover) == Taken::kYes) return;
  if (comm.carrier != nullptr) {
    if (take_labelled(comm, source, tag, 0, &leftover)) {
      taken_by_message(comm, source);
    }
    return;
  }
  int flag = 0;
  MPI_Message message;
  if (pmpi().Improbe(source, tag, comm.shadow, &flag, &message,
                     MPI_STATUS_IGNORE) != MPI_SUCCESS ||
      flag == 0) {
    return;
  }
  pmpi().Mrecv(&leftover, sizeof leftover, pmpi().byte, &message,
               MPI_STATUS_IGNORE);
  taken_by_message(comm, source);
}

// Receives the next clocks on a shadow that is not shared.  False: they have
// not come in time.
bool receive_beside(const CommInfo& comm, int source, int tag,
                    ClockMessage* message) {
  MPI_Request request;
  if (pmpi().Irecv(message, sizeof *message, pmpi().byte, source, tag,
                   comm.shadow, &request) != MPI_SUCCESS) {
    return false;
  }
  if (complete_within(&request, comm.patience_ns)) return true;
  int cancelled = 0;
  MPI_Status status;
  pmpi().Cancel(&request);
  pmpi().Wait(&request, &status);
  pmpi().Test_cancelled(&status, &cancelled);
  return cancelled == 0;
}

// Receives the next clocks of a stream.  They were sent before the message that
// the program has received, so they are here or about to be.  If they do not
// come, the tool does not see that sender, and the stream is given up.
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
  if (comm.carrier == nullptr
          ? receive_beside(comm, source, tag, message)
          : take_labelled(comm, source, tag, comm.patience_ns, message)) {
    taken_by_message(comm, source);
    return true;
  }
  lose_patience(comm.patience_ns);
  give_up(thread, comm, source, tag);
  return false;
}

// For a message that was not received in the order of posting: takes its clocks
// if they have been received early.  Otherwise receives the clocks of the
// messages before it and keeps them until their receives complete.  False: the
// next clocks of the stream are the right ones.
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

void stop_stream(MpiThread& thread, CommInfo& comm, int dest, int tag) {
  thread.thread.process().lost_clocks.add(1);
  const MaybeLock lock(comm.stream_mutex);
  comm.stopped.add(dest, tag);
}

int new_reply_tag(MpiThread& thread, CommInfo& comm) {
  constexpr int kMostLate = 64;
  if (thread.late_replies >= kMostLate) return 0;
  return own_tag(TagKind::kReply, owner_of_shadow(comm).replies.fetch_add(1));
}

void take_soon(MpiThread& thread, CommInfo& comm, int source, int tag) {
  constexpr int64_t kPatience_ns = 20'000;
  ShadowOp* const op = new_op(thread, comm);
  op->wanted = op->reply = true;
  if (pmpi().Irecv(&op->in, sizeof op->in, pmpi().byte,
                   rank_on_shadow(comm, source), tag, comm.shadow,
                   &op->request) != MPI_SUCCESS) {
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
    // No process has taken it, or will.  Its buffer is never freed.
    if (flag == 0) pmpi().Request_free(&slot->request);
    slot->busy = false;
  }
}

void take_clocks(MpiThread& thread, CommInfo& comm, const Tracked* receive,
                 int source, int tag) {
  // Directly to its destination, if nothing else has arrived in this call.
  ClockMessage& message =
      thread.arrived.count == 0 ? thread.arrived : thread.scratch;
  // With several threads in MPI the order of posting is not known, and a wrong
  // guess would wait for clocks that were never sent.  So each message takes
  // the next clocks of its stream, which may be too early, never too late.
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
