// Messages with clocks that are being sent: a list of each thread, used in
// turn.
#ifndef POPRT_WRAPPERS_EDGES_SEND_SLOTS_H_
#define POPRT_WRAPPERS_EDGES_SEND_SLOTS_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "wrappers/edges/shared_shadow.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct SendSlot {
  LabelledClocks labelled;
  MPI_Request request;
  bool busy = false;
};

class SendSlots {
 public:
  // Never waits.
  SendSlot& free_slot() {
    // Only a few slots are tried, so that a message that is never received
    // blocks only its own slot.
    constexpr size_t kMostTries = 4;
    for (size_t i = 0; i < std::min(kMostTries, slots_.size()); ++i) {
      if (next_ >= slots_.size()) next_ = 0;
      SendSlot& slot = *slots_[next_++];
      if (slot.busy) {
        int flag = 0;
        pmpi().Test(&slot.request, &flag, MPI_STATUS_IGNORE);
        slot.busy = flag == 0;
      }
      if (!slot.busy) return slot;
    }
    // All are still being sent.
    return *slots_.emplace_back(std::make_unique<SendSlot>());
  }
  // At the end of the run: gives up clocks that are still being sent.
  void forget();

 private:
  std::vector<std::unique_ptr<SendSlot>> slots_;
  // The one after the last one used is most likely free.
  size_t next_ = 0;
};

// Sends what is in the slot on a shadow, where `dest` is a rank.
inline void send_slot(MPI_Comm shadow, SendSlot& slot, int dest, int tag) {
  const ClockMessage& message = slot.labelled.clocks;
  slot.busy =
      pmpi().Isend(&message, static_cast<int>(message.bytes()), pmpi().byte,
                   dest, tag, shadow, &slot.request) == MPI_SUCCESS;
}
// The same with a label, on a shared shadow.  `dest` is a rank of `comm`.
void send_labelled(const CommInfo& comm, SendSlot& slot, int dest, int tag);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_SEND_SLOTS_H_
