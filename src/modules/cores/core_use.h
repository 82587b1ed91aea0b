// Which cores the process might use, and whether it had them: always measured,
// asked for at the start and at the end only.
#ifndef POPRT_MODULES_CORES_CORE_USE_H_
#define POPRT_MODULES_CORES_CORE_USE_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::cores {

void start(const Options& options, Started* started);
bool has_unknown_threads();

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_CORE_USE_H_
