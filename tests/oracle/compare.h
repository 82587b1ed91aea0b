// Compares the library's totals, clocks and metrics of a history with the
// oracle's.
#ifndef POPRT_TESTS_ORACLE_COMPARE_H_
#define POPRT_TESTS_ORACLE_COMPARE_H_

#include <cstdint>
#include <string>

#include "oracle/history.h"
#include "oracle/replay.h"

namespace poprt::oracle {

struct Strictness {
  // Durations are multiples of all divisors, so that divisions are exact.
  bool whole = true;
  // Clocks over processes equal the oracle's; otherwise they may be smaller,
  // but not larger.
  bool global_clocks_exact = true;
};

// The differences, one per line; empty if there are none.
std::string differences(const History& history, Replay& replay,
                        const Strictness& strictness);

// The rules that this report breaks, of those that hold for every report
// (docs/edges.md, docs/metrics.md).
std::string broken_rules(const JobTotals& job);

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_COMPARE_H_
