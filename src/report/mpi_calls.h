// Tables of the MPI calls by function and place in the program (docs/calls.md).
#ifndef POPRT_REPORT_MPI_CALLS_H_
#define POPRT_REPORT_MPI_CALLS_H_

#include <cstddef>
#include <string>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// How many rows there is room for in a text.
inline constexpr size_t kRankedCalls = 8;

// Of one region, by time in MPI; at most the first `most` rows, without rows if
// there are none: how long they took, and what they moved.
Table call_times(const JobReport& report, const std::string& region,
                 size_t most = kRankedCalls);
// Whom they waited for: the ranks, and their shares of what was waited.
Table call_partners(const JobReport& report, const std::string& region,
                    size_t most = kRankedCalls);
Table call_traffic(const JobReport& report, const std::string& region,
                   size_t most = kRankedCalls);

// How much useful time there is for each MPI call of a region, and for each
// collective; the first `most` regions.
Table granularity(const JobReport& report, size_t most);

}  // namespace poprt

#endif  // POPRT_REPORT_MPI_CALLS_H_
