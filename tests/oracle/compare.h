// Holds the library's totals, clocks and metrics of a history against the
// oracle's.
#ifndef POPRT_TESTS_ORACLE_COMPARE_H_
#define POPRT_TESTS_ORACLE_COMPARE_H_

#include <cstdint>
#include <string>

#include "oracle/history.h"
#include "oracle/replay.h"

namespace poprt::oracle {

struct Strictness {
  // Durations are multiples of everything that is divided by.
  bool whole = true;
  // Clocks over processes may be below the oracle's, but not above.
  bool global_clocks_exact = true;
  // A worker knows whether the primary thread has begun before it.
  bool begins_exact = true;
};

// What differs, one line each; empty where all is as it must be.
std::string differences(const History& history, Replay& replay,
                        const Strictness& strictness);

// What the theory says of every report (docs/edges.md, docs/metrics.md).
std::string broken_rules(const JobTotals& job);

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_COMPARE_H_
