// MPI calls by function and place in the program (POPRT_CALLS).
#ifndef POPRT_MODEL_CALLS_H_
#define POPRT_MODEL_CALLS_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace poprt {

// How many messages had such a size: 0 bytes, or from half of `below_bytes` to
// less than it, which is a power of two.
struct SizeClass {
  int64_t below_bytes = 1;
  int64_t messages = 0;
};

// A process that came last where others waited for it, or a thread.
struct LateRank {
  int64_t rank = 0;  // in MPI_COMM_WORLD; or OpenMP's thread number
  int64_t calls = 0;
  // At most this long, and at least `error_ns` less.
  int64_t waiting_ns = 0;
  int64_t error_ns = 0;
};

// The ranks that were waited for longest, by a bounded summary (Space-Saving:
// Metwally, Agrawal and El Abbadi, 2005), which can be added to others.  It is
// exact as long as there were no more ranks than it has room for.
struct LateRanks {
  static constexpr size_t kMost = 16;

  std::vector<LateRank> ranks;  // sorted by rank
  // No rank that is missing was waited for longer.  0: none is missing.
  int64_t missing_ns = 0;
};

// Adds b to a.
void add(LateRanks* a, const LateRanks& b);
// There was no more waiting than this: of what the ranks have more, for
// certain, it is not known for whom it was.
void limit(LateRanks* late, int64_t waiting_ns);
// The same, and for whom the rest was is not known either.
void complete(LateRanks* late, int64_t waiting_ns);

// The calls of one MPI function at one place in the program, in one region:
// sums over threads and processes.
struct CallTotals {
  std::string region;
  // "MPI_Send"; empty for the sum of all that have no entry of their own
  std::string function;
  std::string module;   // file of the code; empty if it is in none
  uint64_t offset = 0;  // return address in it, as an ELF virtual address

  int64_t calls = 0;
  int64_t collectives = 0;  // of these calls; begun ones count
  // Time in MPI; waiting + transfer + unknown (model/quantities.h).
  int64_t time_ns = 0;
  int64_t waiting_ns = 0;
  int64_t unknown_ns = 0;
  // What the program passed to the calls, and what it got from them.
  int64_t sent_bytes = 0;
  int64_t received_bytes = 0;
  // Processes of the largest communicator; 0: the calls name none.
  int64_t comm_size = 0;
  std::vector<SizeClass> sizes;  // sorted by below_bytes
  LateRanks late;

  int64_t transfer_ns() const { return time_ns - waiting_ns - unknown_ns; }
};

// The order in sorted lists.
inline bool before(const CallTotals& a, const CallTotals& b) {
  return std::tie(a.region, a.function, a.module, a.offset) <
         std::tie(b.region, b.function, b.module, b.offset);
}

inline bool is_rest(const CallTotals& call) { return call.function.empty(); }
inline int64_t visits_of(const CallTotals& call) { return call.calls; }
// Adds what was counted at another place or in another process to `a`.
void add(CallTotals* a, const CallTotals& b);

}  // namespace poprt

#endif  // POPRT_MODEL_CALLS_H_
