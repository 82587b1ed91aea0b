#include "wrappers/edges/send_slots.h"

#include "wrappers/state.h"

namespace poprt::mpi {

void SendSlots::forget() {
  for (const std::unique_ptr<SendSlot>& slot : slots_) {
    int flag = 1;
    if (slot->busy) pmpi().Test(&slot->request, &flag, MPI_STATUS_IGNORE);
    // No process has taken it, or will.  Its buffer is never freed.
    if (flag == 0) pmpi().Request_free(&slot->request);
    slot->busy = false;
  }
}

void send_labelled(const CommInfo& comm, SendSlot& slot, int dest, int tag) {
  LabelledClocks& labelled = slot.labelled;
  const Label label{comm.key, tag};
  labelled.put_label(label);
  slot.busy =
      pmpi().Isend(&labelled, static_cast<int>(labelled.bytes()), pmpi().byte,
                   comm.rank_there(dest), shared_tag(label), comm.shadow,
                   &slot.request) == MPI_SUCCESS;
}

}  // namespace poprt::mpi
