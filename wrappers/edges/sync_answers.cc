#include "wrappers/edges/sync_answers.h"

#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/exchange_tools.h"
#include "wrappers/edges/own_tags.h"

namespace poprt::mpi {

int new_reply_tag(MpiThread& thread, CommInfo& comm) {
  constexpr int kMostLate = 64;
  if (thread.edges.late_replies >= kMostLate) return 0;
  return own_tag(TagKind::kReply,
                 owner_of_shadow(comm).edges.answers.asked_for.fetch_add(1));
}

void answer(MpiThread& thread, const CommInfo& comm, const PostedClocks* posted,
            int source, int reply_tag) {
  SendSlot& slot = thread.edges.slots.free_slot();
  ClockMessage& message = slot.labelled.clocks;
  if (posted == nullptr) {
    store_current(thread, message);
  } else {
    read_posted_clocks(thread.thread.process(), *posted, &message);
  }
  message.reply_tag = 0;
  send_slot(comm.shadow, slot, comm.rank_there(source), reply_tag);
}

void take_soon(MpiThread& thread, CommInfo& comm, int source, int tag) {
  constexpr int64_t kPatience_ns = 20'000;
  ShadowOp* const op = new_op(thread, comm);
  op->wanted = op->reply = true;
  if (pmpi().Irecv(&op->in, sizeof op->in, pmpi().byte, comm.rank_there(source),
                   tag, comm.shadow, &op->request) != MPI_SUCCESS) {
    free_op(thread, op);
  } else if (complete_within(&op->request, kPatience_ns)) {
    add_arrived(thread, op->in);
    free_op(thread, op);
  } else {
    ++thread.edges.late_replies;
    put_off(thread, op);
  }
}

}  // namespace poprt::mpi
