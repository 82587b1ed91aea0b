// Collects the facts of the machine that this process is on.
#ifndef POPRT_LAUNCH_MACHINE_H_
#define POPRT_LAUNCH_MACHINE_H_

#include "launch/diagnosis.h"

namespace poprt {

MachineFacts machine_facts(const Environment& environment,
                           const LoaderCache& cache);

}  // namespace poprt

#endif  // POPRT_LAUNCH_MACHINE_H_
