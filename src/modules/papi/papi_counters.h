// Counters of the processor and the kernel through PAPI (POPRT_COUNTERS).
#ifndef POPRT_MODULES_PAPI_PAPI_COUNTERS_H_
#define POPRT_MODULES_PAPI_PAPI_COUNTERS_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::papi {

// Loads PAPI and looks which of the events can be counted together here.  Does
// nothing if the options ask for no counters.
void start(const Options& options, Started* started);

}  // namespace poprt::modules::papi

#endif  // POPRT_MODULES_PAPI_PAPI_COUNTERS_H_
