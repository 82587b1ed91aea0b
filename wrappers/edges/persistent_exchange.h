// The clocks of a persistent collective: with whom they are exchanged at each
// start.
#ifndef POPRT_WRAPPERS_EDGES_PERSISTENT_EXCHANGE_H_
#define POPRT_WRAPPERS_EDGES_PERSISTENT_EXCHANGE_H_

#include <vector>

namespace poprt::mpi {

struct ShadowOp;

struct PersistentExchange {
  void renew() {
    contributes = true;
    op = nullptr;
  }

  std::vector<int> sources;
  std::vector<int> targets;
  int tag;
  ShadowOp* op;  // null if its clocks go pairwise
  bool contributes;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_PERSISTENT_EXCHANGE_H_
