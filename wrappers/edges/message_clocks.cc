// Clocks of messages and of pairwise exchanges.
#include <algorithm>
#include <memory>
#include <utility>

#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/exchange_tools.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/edges/send_slots.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/edges/streams.h"
#include "wrappers/edges/sync_answers.h"
#include "wrappers/node/node.h"

namespace poprt::mpi {
namespace {

// Sends clocks that receive_next() takes on the other side.  `all` as in
// put_on_node().
void send_ordered(MpiThread& thread, CommInfo& comm, int dest, int tag,
                  const ClockMessage& clocks, const SentClocks* all) {
  if (put_on_node(comm, dest, tag, clocks, all) != Sent::kByMessage) return;
  // On a shared shadow there are no notices.
  if (comm.carrier == nullptr && comm.edges.streams.count_message()) {
    take_stops(comm);
  }
  if (comm.edges.streams.is_stopped(dest, tag)) return;
  SendSlot& slot = thread.edges.slots.free_slot();
  slot.labelled.clocks = clocks;
  if (comm.carrier != nullptr) [[unlikely]] {
    return send_labelled(comm, slot, dest, tag);
  }
  send_slot(comm.shadow, slot, dest, tag);
}

[[gnu::noinline]] void store_and_send(MpiThread& thread, CommInfo& comm,
                                      int dest, int tag, int reply_tag) {
  ClockMessage& clocks = thread.edges.scratch;
  const SentClocks all = thread.thread.sent_now();
  thread.thread.store_to(clocks);
  clocks.reply_tag = reply_tag;
  send_ordered(thread, comm, dest, tag, clocks, &all);
}

// The clocks of a message of the program have arrived.
void accept(MpiThread& thread, const CommInfo& comm, const PostedClocks* posted,
            int source, const ClockMessage& message) {
  add_arrived(thread, message);
  if (message.reply_tag != 0) {
    answer(thread, comm, posted, source, message.reply_tag);
  }
}

// Gives up a stream, and tells the sender, so that it sends no more clocks that
// nothing would take.  On a shared shadow it is not told: clocks that still
// come are taken, one for each message (take_leftover()).
void give_up(MpiThread& thread, CommInfo& comm, int source, int tag) {
  thread.thread.process().lost_clocks.add(1);
  const int told = note_given_up(comm, source, tag);
  if (give_up_on_node(comm, source, tag) || comm.carrier != nullptr) {
    return;
  }
  SendSlot& slot = thread.edges.slots.free_slot();
  ClockMessage& message = slot.labelled.clocks;
  message.count = message.incomplete = 0;
  message.reply_tag = told;
  send_slot(comm.shadow, slot, source, stop_tag());
}

// A message of a stream that is given up.  It takes one message of the clocks
// that the sender had sent before it knew, so that none of them are left.
void take_leftover(MpiThread& thread, CommInfo& comm, int source, int tag) {
  ClockMessage& leftover = thread.edges.scratch;
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
  if (complete_within(&request, comm.edges.streams.patience_ns)) return true;
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
[[gnu::noinline]] bool receive_slowly(MpiThread& thread, CommInfo& comm,
                                      int source, int tag,
                                      ClockMessage* message) {
  if (comm.edges.streams.is_given_up(source, tag)) {
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
  if (comm.carrier == nullptr
          ? receive_beside(comm, source, tag, message)
          : take_labelled(comm, source, tag, comm.edges.streams.patience_ns,
                          message)) {
    taken_by_message(comm, source);
    return true;
  }
  lose_patience(comm.edges.streams.patience_ns);
  give_up(thread, comm, source, tag);
  return false;
}

// The same for clocks that are merged before any others of this source.
inline bool receive_next(MpiThread& thread, CommInfo& comm, int source, int tag,
                         ClockMessage* message) {
  return (comm.edges.streams.given_up.empty() &&
          take_packed_on_node(comm, source, tag, message, thread.thread)) ||
         receive_slowly(thread, comm, source, tag, message);
}

// For a message that was not received in the order of posting: takes its clocks
// if they have been received early.  Otherwise receives the clocks of the
// messages before it and keeps them until their receives complete.  False: the
// next clocks of the stream are the right ones.
bool take_early(MpiThread& thread, CommInfo& comm, const PostedClocks* posted,
                int older, int source, int tag) {
  std::vector<EarlyClocks>& early = comm.edges.streams.early;
  int skip = older;
  for (auto place = early.begin(); place != early.end(); ++place) {
    if (place->source != source || place->tag != tag) continue;
    if (skip-- > 0) continue;
    accept(thread, comm, posted, source, *place->message);
    early.erase(place);
    return true;
  }
  for (; skip > 0; --skip) {
    if (!receive_slowly(thread, comm, source, tag, &thread.edges.scratch))
      return true;
    early.push_back(
        {source, tag, std::make_unique<ClockMessage>(thread.edges.scratch)});
  }
  return false;
}

// Takes the next clocks of the stream.
inline void take_next(MpiThread& thread, CommInfo& comm, const Cost& cost,
                      const PostedClocks* posted, int source, int tag) {
  ClockMessage& message = place_for_arrival(thread);
  if (receive_next(thread, comm, source, tag, &message)) {
    accept(thread, comm, posted, source, message);
  } else {
    lose_partner(thread);
  }
  if (cost.is_rare()) [[unlikely]]
    cost.note_and_merge();
}

// Returns how many entries there are.
int store_all(Thread& thread, std::vector<ClockEntry>& entries) {
  const auto most = static_cast<size_t>(thread.travelling_entries());
  if (entries.size() < most) entries.resize(most);
  int32_t incomplete;
  return thread.store_to(entries.data(), static_cast<int>(entries.size()),
                         &incomplete);
}

// Of many regions, those that run.  False: what rests has changed since `all`.
bool keep_running_clocks(Thread& thread,
                         const std::shared_ptr<const AllClocks>& all,
                         PostedClocks& clocks) {
  if (all == nullptr) return false;
  clocks.running = thread.pack_changed(all->as_of, ChangedRegions::kMost,
                                       clocks.packed.bytes());
  if (clocks.running.count() == 0 || clocks.running.any_rests()) return false;
  if (clocks.before != all) clocks.before = all;
  return true;
}

void keep_many_clocks(MpiThread& thread, PostedClocks& clocks) {
  Thread& its = thread.thread;
  if (its.knows_changes()) {
    if (keep_running_clocks(its, thread.edges.all_clocks, clocks)) return;
    auto all = std::make_shared<AllClocks>();
    all->as_of = its.sent_now();
    all->entries.resize(static_cast<size_t>(store_all(its, all->entries)));
    thread.edges.all_clocks = std::move(all);
    if (keep_running_clocks(its, thread.edges.all_clocks, clocks)) return;
  }
  clocks.before = nullptr;
  clocks.count = store_all(its, clocks.entries);
  clocks.regions.learn(clocks.entries.data(), clocks.count);
}

}  // namespace

bool send_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                 int reply_tag) {
  const Cost cost(thread);
  if (comm.edges.streams.take_owed(dest, tag)) return false;
  if (!thread.edges.late.empty()) [[unlikely]]
    drain_late(thread);
  if (!put_packed_on_node(comm, dest, tag, thread.thread, reply_tag)) {
    store_and_send(thread, comm, dest, tag, reply_tag);
  }
  return true;
}

void send_kept_clocks(MpiThread& thread, CommInfo& comm, int dest, int tag,
                      const ClockMessage& clocks) {
  thread.edges.scratch = clocks;
  thread.edges.scratch.reply_tag = 0;
  send_ordered(thread, comm, dest, tag, thread.edges.scratch, nullptr);
}

void keep_posted_clocks(MpiThread& thread, PostedClocks& clocks) {
  if (!thread.edges.late.empty()) drain_late(thread);
  clocks.is_packed =
      thread.thread.store_to(&clocks.packed.two[0], clocks.regions);
  if (!clocks.is_packed) keep_many_clocks(thread, clocks);
}

void read_posted_clocks(const Process& process, const PostedClocks& clocks,
                        ClockMessage* message) {
  message->incomplete = 0;
  if (clocks.is_packed) {
    return unpack(clocks.packed.two[0], clocks.regions, message);
  }
  if (clocks.before == nullptr) {
    message->count = clocks.count;
    std::copy_n(clocks.entries.begin(), clocks.count, message->entries);
    return;
  }
  unpack(clocks.running, clocks.packed.bytes(), message, [&](int slot) {
    return NamedRegion{process.region(slot).key(), static_cast<int16_t>(slot)};
  });
  for (const ClockEntry& entry : clocks.before->entries) {
    message->raise(entry, ClockMessage::kCapacity);
  }
}

void take_clocks(MpiThread& thread, CommInfo& comm, const PostedClocks* posted,
                 int source, int tag) {
  const Cost cost(thread, comm, source);
  if (comm.edges.streams.early.empty() ||
      !take_early(thread, comm, posted, 0, source, tag)) {
    take_next(thread, comm, cost, posted, source, tag);
  }
}

void take_clocks_behind(int older, MpiThread& thread, CommInfo& comm,
                        const PostedClocks* posted, int source, int tag) {
  const Cost cost(thread, comm, source);
  if (!take_early(thread, comm, posted, older, source, tag)) {
    take_next(thread, comm, cost, posted, source, tag);
  }
}

int pairwise_tag(CommInfo& comm) {
  return own_tag(TagKind::kPairwise, comm.edges.collectives.pairwise_calls++);
}

int last_pairwise_tag(const CommInfo& comm) {
  return own_tag(TagKind::kPairwise, comm.edges.collectives.pairwise_calls - 1);
}

void send_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& targets, int tag) {
  for (int dest : targets) send_clocks(thread, comm, dest, tag);
}

void unsend_pairwise(CommInfo& comm, const std::vector<int>& targets, int tag) {
  for (int dest : targets) owe_message(comm, dest, tag);
  --comm.edges.collectives.pairwise_calls;
}

void take_pairwise(MpiThread& thread, CommInfo& comm,
                   const std::vector<int>& sources, int tag) {
  for (int source : sources) take_pairwise(thread, comm, source, tag);
}

void take_pairwise(MpiThread& thread, CommInfo& comm, int source, int tag) {
  const Cost cost(thread, comm, source);
  ClockMessage& message = place_for_arrival(thread);
  if (receive_next(thread, comm, source, tag, &message)) {
    add_arrived(thread, message);
  } else {
    lose_partner(thread);
  }
}

}  // namespace poprt::mpi
