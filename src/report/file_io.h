// What the report says of file I/O beside the model `io`.
#ifndef POPRT_REPORT_FILE_IO_H_
#define POPRT_REPORT_FILE_IO_H_

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

// Where file I/O takes so much time that the other metrics tell of it, too:
// regions, and of the whole job how much.
std::vector<std::string> regions_of_file_io(const JobReport& report);

// How many there is room for in a text.
inline constexpr size_t kListedFileSystems = 8;
// What was done in each file system, by time, by `what` ("POSIX I/O"), at most
// the first `most`; `key` is the table's; no rows if it was not measured.
Table file_system_table(const std::vector<FileSystem>& file_systems,
                        const char* what, const char* key,
                        size_t most = kListedFileSystems);

}  // namespace poprt

#endif  // POPRT_REPORT_FILE_IO_H_
