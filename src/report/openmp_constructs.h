// Tables of the OpenMP constructs by kind and place in the program
// (docs/calls.md).
#ifndef POPRT_REPORT_OPENMP_CONSTRUCTS_H_
#define POPRT_REPORT_OPENMP_CONSTRUCTS_H_

#include <cstddef>
#include <string>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// Those with the most time in the OpenMP runtime, of a region.
Table construct_times(const JobReport& report, const std::string& region,
                      size_t most);
// For which threads they waited.
Table construct_partners(const JobReport& report, const std::string& region,
                         size_t most);

}  // namespace poprt

#endif  // POPRT_REPORT_OPENMP_CONSTRUCTS_H_
