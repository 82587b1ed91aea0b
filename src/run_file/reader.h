// Reads a run file back into the report from which it was written.  Metrics are
// not read but computed from the accumulators, by the code that has computed
// them at the end of the run.
//
// Reads files of its own schema version and of later minor ones, whose further
// keys it ignores.  A file may come from anywhere: what is accepted is safe to
// compute with and to print.
#ifndef POPRT_RUN_FILE_READER_H_
#define POPRT_RUN_FILE_READER_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/job.h"

namespace poprt {

// The report in `text`. nullopt if there is an error; then `complaint` is one
// line with `name`, the place in the file, and the error.
std::optional<JobReport> parse_run_file(std::string_view text,
                                        const std::string& name,
                                        std::string* complaint);

// Like parse_run_file(), for the file at `path`; "-" is standard input.
std::optional<JobReport> read_run_file(const std::string& path,
                                       std::string* complaint);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_READER_H_
