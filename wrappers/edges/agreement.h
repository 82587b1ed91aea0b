// What the processes of a new communicator decide together, because all of them
// must do the same.
#ifndef POPRT_WRAPPERS_EDGES_AGREEMENT_H_
#define POPRT_WRAPPERS_EDGES_AGREEMENT_H_

#include <array>

#include "wrappers/node/node_board.h"
#include "wrappers/state.h"

namespace poprt::mpi {

class Agreement {
 public:
  // Collective over `comm`, in which this process is `rank`.  `everybody`: a
  // communicator of all processes whose shadow this one can share, or null;
  // `free_boards`: see node.h.
  Agreement(MPI_Comm comm, bool inter, int rank, const CommInfo* everybody,
            uint32_t free_boards);

  // Every process may make one more shadow.
  bool have_room() const { return words_[kRoom] != 0; }
  // Some process has other constructors under way.
  bool one_is_busy() const { return words_[kBusy] != 0; }
  // All know the same communicator of all processes.
  bool have_carrier() const {
    return words_[kCarrier] != 0 && words_[kCarrier] == -words_[kCarrierToo];
  }
  // None of the processes has another communicator with this number or key.
  uint32_t number() const { return static_cast<uint32_t>(-words_[kNumber]); }
  uint64_t key() const;
  // The first one that is free on all processes, or -1.
  int board() const;

 private:
  enum : size_t {
    kRoom,
    kNumber,
    kBusy,
    kCarrier,
    kCarrierToo,
    kLeader,
    kCount,
    kLeaderToo,
    kCountToo,
    kFirstBoard
  };
  static constexpr int kWords = kFirstBoard + kBoards;

  // The minimum over all processes.
  std::array<int, kWords> words_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_AGREEMENT_H_
