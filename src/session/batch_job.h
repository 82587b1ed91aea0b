// Which job of a batch system this process belongs to, as its environment
// tells.
#ifndef POPRT_SESSION_BATCH_JOB_H_
#define POPRT_SESSION_BATCH_JOB_H_

#include "model/job.h"

namespace poprt {

// `variable` is getenv() or the same for another environment.
BatchJob batch_job(const char* (*variable)(const char*));

}  // namespace poprt

#endif  // POPRT_SESSION_BATCH_JOB_H_
