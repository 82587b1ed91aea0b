#include "wrappers/edges/agreement.h"

#include <algorithm>
#include <limits>

#include "base/mix.h"
#include "wrappers/edges/shared_shadow.h"

namespace poprt::mpi {
namespace {

// A shadow uses up one of the MPI library's communicators.  At most 5 % of them
// are the tool's, so that the program does not run out of them.
#if defined(POPRT_MOST_SHADOWS)  // for tests
constexpr int kMostShadows = POPRT_MOST_SHADOWS;
#elif defined(OPEN_MPI)
constexpr int kMostShadows = 3072;  // of 65532
#else
constexpr int kMostShadows = 96;  // of 2046
#endif
// The rest is for windows, which cannot share a shadow.
constexpr int kMostThatCanShare = kMostShadows - kMostShadows / 4;

int folded(uint64_t key) { return static_cast<int>(key >> 33) | 1; }

}  // namespace

Agreement::Agreement(MPI_Comm comm, bool inter, int rank,
                     const CommInfo* everybody, uint32_t free_boards) {
  const int most = everybody == nullptr ? kMostShadows : kMostThatCanShare;
  words_[kRoom] = job().edges.comms.shadows < most ? 1 : 0;
  words_[kNumber] = -job().edges.comms.next_number;
  words_[kBusy] = job().multiple || job().edges.comms.unfinished > 0 ? -1 : 0;
  const int carrier = everybody == nullptr ? 0 : folded(everybody->key);
  words_[kCarrier] = carrier;
  words_[kCarrierToo] = -carrier;
  // The first process of each group names it: with its rank among all and a
  // number that it gives once.
  words_[kLeader] = words_[kCount] = 0;
  words_[kLeaderToo] = words_[kCountToo] = std::numeric_limits<int>::max();
  if (rank == 0) {
    int leader = 0;
    pmpi().Group_rank(job().world, &leader);
    const int count = ++job().edges.comms.keys;
    words_[kLeader] = -leader;
    words_[kCount] = -count;
    words_[kLeaderToo] = leader;
    words_[kCountToo] = count;
  }
  for (size_t i = 0; i < kBoards; ++i) {
    words_[kFirstBoard + i] = static_cast<int>(free_boards >> i & 1);
  }
  // If one process cannot have a shadow, no process makes one: a shadow that
  // only some processes use would be a hang.  On an intercommunicator the first
  // round tells what the other group says.
  for (int round = 0; round <= (inter ? 1 : 0); ++round) {
    std::array<int, kWords> all{};
    if (pmpi().Allreduce(words_.data(), all.data(), kWords, pmpi().int_type,
                         pmpi().min, comm) != MPI_SUCCESS) {
      words_[kRoom] = words_[kCarrier] = 0;
      continue;
    }
    for (size_t i = 0; i < kWords; ++i) words_[i] = std::min(words_[i], all[i]);
  }
}

uint64_t Agreement::key() const {
  const auto word = [this](size_t i) {
    return static_cast<uint64_t>(words_[i]);
  };
  return mix(mix(word(kLeader), word(kCount)),
             mix(word(kLeaderToo), word(kCountToo)));
}

int Agreement::board() const {
  for (int i = 0; i < kBoards; ++i) {
    if (words_[kFirstBoard + static_cast<size_t>(i)] != 0) return i;
  }
  return -1;
}

}  // namespace poprt::mpi
