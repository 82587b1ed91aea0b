// What OpenMP adds to the totals of a process: constructs, locks, helper
// threads.
#ifndef POPRT_OPENMP_OPENMP_TOTALS_H_
#define POPRT_OPENMP_OPENMP_TOTALS_H_

#include "measure/process.h"

namespace poprt {

const TotalsPart& openmp_totals();

}  // namespace poprt

#endif  // POPRT_OPENMP_OPENMP_TOTALS_H_
