// What the report says of file I/O beside the model `io`.
#ifndef POPRT_REPORT_FILE_IO_H_
#define POPRT_REPORT_FILE_IO_H_

#include <string>

#include "model/job.h"
#include "report/document.h"

namespace poprt {

// A warning where file I/O takes so much time that the other metrics tell of
// it, too; "" where it does not.
std::string file_io_warning(const JobReport& report);

// What POSIX I/O did in each file system, by time; no rows if it was not
// measured.
Table file_system_table(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_FILE_IO_H_
