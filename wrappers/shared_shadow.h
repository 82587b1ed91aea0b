// Communicators without a shadow of their own.
//
// An MPI library has a limited number of communicators, and the program must
// not run out of them because of the tool.  In MPI_Comm_idup the processes
// cannot even agree on making a shadow.  In both cases the clocks of messages
// go on the shadow of another communicator that has at least the same
// processes, the carrier.  A label says which communicator they belong to.  A
// process that receives clocks of another communicator keeps them for it.
// Clocks of a communicator that has been freed are dropped; a key is never used
// again.
//
// Collectives on different communicators have no common order, so they cannot
// go on the carrier.  Where every process depends on every other one, the
// tool's collective is on the program's communicator and completes inside the
// program's call.  Nothing of the tool's is then under way when the program
// frees it.  Other clocks are sent directly, see direct().
#ifndef POPRT_WRAPPERS_SHARED_SHADOW_H_
#define POPRT_WRAPPERS_SHARED_SHADOW_H_

#include <vector>

#include "base/mix.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// Called before any other process can send clocks of `info`; its key is known.
void share_shadow(CommInfo& info, CommInfo& carrier,
                  std::vector<int> ranks_there);
// Called when the communicator is released.  False: others may still look for
// it, and it must not be freed.
bool stop_sharing(CommInfo& info);

inline int rank_on_shadow(const CommInfo& comm, int rank) {
  return comm.ranks_there.empty() ? rank
                                  : comm.ranks_there[static_cast<size_t>(rank)];
}
// The communicator that the shadow was made for.
inline CommInfo& owner_of_shadow(CommInfo& comm) {
  return comm.carrier == nullptr ? comm : *comm.carrier;
}

// The tag of labelled messages.  Several streams may have the same one; their
// labels tell them apart.
inline int shared_tag(const Label& label) {
  const uint64_t hash = (label.key ^ static_cast<uint64_t>(label.tag)) *
                        uint64_t{0x9E3779B97F4A7C15};
  return own_tag(TagKind::kShared, static_cast<uint32_t>(hash >> 32));
}

// Takes the next clocks of a stream.  False: they have not come in time.
bool take_labelled(CommInfo& comm, int source, int tag, int64_t patience_ns,
                   ClockMessage* clocks);

// Makes keys.  The key of a communicator that MPI_Comm_idup makes comes from
// its parent's key and its number among the parent's copies.  All processes
// make these in the same order.
inline uint64_t mix(uint64_t one, uint64_t other) {
  return poprt::mix(poprt::mix(one) + other);
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_SHARED_SHADOW_H_
