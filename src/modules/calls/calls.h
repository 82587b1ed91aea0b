// MPI calls by function, place in the program and region, if the user asks for
// them (POPRT_CALLS=on).  The MPI layer counts them (measure/call_sites.h);
// this adds them to the totals.
#ifndef POPRT_MODULES_CALLS_CALLS_H_
#define POPRT_MODULES_CALLS_CALLS_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::calls {

void start(const Options& options, Started* started);

}  // namespace poprt::modules::calls

#endif  // POPRT_MODULES_CALLS_CALLS_H_
