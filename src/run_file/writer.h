// The run file of a run: schema "poprt.run" (docs/file_format.md).
#ifndef POPRT_RUN_FILE_WRITER_H_
#define POPRT_RUN_FILE_WRITER_H_

#include <string>

#include "model/job.h"

namespace poprt {

std::string to_json(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_WRITER_H_
