// The MPI calls of a report (docs/calls.md).
#ifndef POPRT_MODEL_CALL_REPORTS_H_
#define POPRT_MODEL_CALL_REPORTS_H_

#include <string>
#include <vector>

#include "model/calls.h"
#include "model/constructs.h"

namespace poprt {

struct CallReport {
  CallTotals totals;
  // "solver.c:123 (solve)"; empty if its code is in no file
  std::string location;
};

// Of each of these regions, those with the most time in MPI first, and last the
// sum of all others, so that the times add up to the region's time in MPI.
// REQUIRES: the calls are in the order of before().
std::vector<CallReport> call_reports(std::vector<CallTotals> calls,
                                     const std::vector<std::string>& regions,
                                     const Locate& locate);

}  // namespace poprt

#endif  // POPRT_MODEL_CALL_REPORTS_H_
