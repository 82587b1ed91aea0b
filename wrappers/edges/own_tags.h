// The tags of the tool's own messages.
#ifndef POPRT_WRAPPERS_EDGES_OWN_TAGS_H_
#define POPRT_WRAPPERS_EDGES_OWN_TAGS_H_

#include <cstdint>

#include "wrappers/state.h"

namespace poprt::mpi {

// The tags below MPI's upper bound that the tool keeps for itself: a range for
// pairwise exchanges, for answers to synchronous sends, for persistent
// collectives, for partitioned messages, and for clocks on shared shadows; one
// tag for streams that are given up, and one for the end of the run.
inline constexpr int kTagsOfAKind = 1024;
enum class TagKind { kPairwise, kReply, kPersistent, kPartitioned, kShared };
inline constexpr int kOwnTags = 5 * kTagsOfAKind + 2;
inline int own_tag(TagKind kind, uint32_t number) {
  return job().tag_limit + 1 + static_cast<int>(kind) * kTagsOfAKind +
         static_cast<int>(number % kTagsOfAKind);
}

inline int stop_tag() { return job().tag_limit + kOwnTags - 1; }

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_OWN_TAGS_H_
