// The part of the environment that decides how a program runs.
#ifndef POPRT_SESSION_PERFORMANCE_VARIABLES_H_
#define POPRT_SESSION_PERFORMANCE_VARIABLES_H_

#include <vector>

#include "model/totals.h"

namespace poprt {

// Of OpenMP, its runtimes, this tool and the networks below MPI, by name.  Not
// the MPIs' own: a launcher sets hundreds of them.  `environment` ends with
// nullptr.
std::vector<Metadata> performance_variables(const char* const* environment);

}  // namespace poprt

#endif  // POPRT_SESSION_PERFORMANCE_VARIABLES_H_
