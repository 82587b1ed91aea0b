// OpenMP constructs by kind and place in the program (POPRT_CALLS).
#ifndef POPRT_MODEL_CONSTRUCT_SITES_H_
#define POPRT_MODEL_CONSTRUCT_SITES_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "model/calls.h"

namespace poprt {

struct RegionTotals;

// The OpenMP constructs of one kind at one place in the program, in one region:
// sums over threads and processes.
struct ConstructSiteTotals {
  std::string region;
  // "barrier", "loop dynamic"; empty for the time of threads that are in no
  // construct, and for all constructs that have no entry of their own
  std::string construct;
  // What the program calls a critical section or the variable of a lock;
  // "initialised at grid.c:12 (make)" for a lock in none; "(unnamed)",
  // kSeveralLocks, empty if it is not known
  std::string lock;
  // Of a lock without a name: where it was initialised, as `module` and
  // `offset`, until `lock` says so
  std::string lock_module;
  uint64_t lock_offset = 0;
  std::string module;   // file of the code; empty if it is in none
  uint64_t offset = 0;  // return address in it, as an ELF virtual address

  int64_t visits = 0;      // of each thread
  int64_t iterations = 0;  // of loops, as far as the runtime tells them
  int64_t time_ns = 0;     // in the OpenMP runtime
  int64_t waiting_ns = 0;  // for another thread
  LateRanks late;          // by OpenMP's thread number
};

inline constexpr const char* kSeveralLocks = "(several)";
inline constexpr const char* kInitialisedAt = "initialised at ";

inline bool before(const ConstructSiteTotals& a, const ConstructSiteTotals& b) {
  return std::tie(a.region, a.construct, a.module, a.offset) <
         std::tie(b.region, b.construct, b.module, b.offset);
}
inline bool is_rest(const ConstructSiteTotals& site) {
  return site.construct.empty();
}
inline int64_t visits_of(const ConstructSiteTotals& site) {
  return site.visits;
}
// Adds what was counted at another place or in another process to `a`.
void add(ConstructSiteTotals* a, const ConstructSiteTotals& b);
// OpenMP time of the regions that is in no entry is in their rest: of threads
// in no construct, of constructs in which a region was opened or closed, of
// processes that have no constructs.  The order becomes that of before().
void complete_rest(const std::vector<RegionTotals>& regions,
                   std::vector<ConstructSiteTotals>* sites);

}  // namespace poprt

#endif  // POPRT_MODEL_CONSTRUCT_SITES_H_
