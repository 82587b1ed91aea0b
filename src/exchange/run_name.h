// How files of a run are named.
#ifndef POPRT_EXCHANGE_RUN_NAME_H_
#define POPRT_EXCHANGE_RUN_NAME_H_

#include <string>

#include "model/job.h"

namespace poprt {

// The program's name as part of a file name.  It contains no way out of a
// folder.
std::string file_name_of(const RunContext& context);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_RUN_NAME_H_
