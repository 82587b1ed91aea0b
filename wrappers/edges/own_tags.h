// The tags of the tool's own messages.
#ifndef POPRT_WRAPPERS_EDGES_OWN_TAGS_H_
#define POPRT_WRAPPERS_EDGES_OWN_TAGS_H_

#include <cstdint>

#include "wrappers/state.h"

namespace poprt::mpi {

// The tags that the tool keeps for itself, where programs hardly have theirs:
// most count from 0, and PETSc from MPI's upper bound downwards. A range for
// pairwise exchanges, for answers to synchronous sends, for persistent
// collectives, for partitioned messages, and for clocks on shared shadows; one
// tag for streams that are given up, and one for the end of the run.
inline constexpr int kTagsOfAKind = 1024;
enum class TagKind { kPairwise, kReply, kPersistent, kPartitioned, kShared };
inline constexpr int kOwnTags = 5 * kTagsOfAKind + 2;
inline void set_tag_bound(int bound) {
  job().tag_bound = bound;
  job().before_own_tags = bound / 5 * 3;
}

// Whether a message of the program with this tag, which may be a wildcard, has
// clocks.
inline bool has_clocks(int tag) {
  const auto behind = static_cast<unsigned>(tag) -
                      static_cast<unsigned>(job().before_own_tags) - 1;
  return tag <= job().tag_bound && behind >= static_cast<unsigned>(kOwnTags);
}

inline int own_tag(TagKind kind, uint32_t number) {
  return job().before_own_tags + 1 + static_cast<int>(kind) * kTagsOfAKind +
         static_cast<int>(number % kTagsOfAKind);
}

inline int stop_tag() { return job().before_own_tags + kOwnTags - 1; }

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_OWN_TAGS_H_
