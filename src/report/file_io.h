// What the report says of file I/O beside the model `io`.
#ifndef POPRT_REPORT_FILE_IO_H_
#define POPRT_REPORT_FILE_IO_H_

#include <cstddef>
#include <string>

#include "model/job.h"
#include "report/document.h"

namespace poprt {

// A warning where file I/O takes so much time that the other metrics tell of
// it, too; "" where it does not.
std::string file_io_warning(const JobReport& report);

// How many there is room for in a text.
inline constexpr size_t kListedFileSystems = 8;
// What POSIX I/O did in each file system, by time, at most the first `most`; no
// rows if it was not measured.
Table file_system_table(const JobReport& report,
                        size_t most = kListedFileSystems);

}  // namespace poprt

#endif  // POPRT_REPORT_FILE_IO_H_
