// The run file back into the report it was written from.  The metrics are not
// read but computed anew from the accumulators, by the code that computed them
// at the end of the run.
//
// Files of every schema version so far are read; keys that this version does
// not know are ignored.  A file may come from anywhere: what is accepted is
// safe to compute with and to print.
#ifndef POPRT_RUN_FILE_READER_H_
#define POPRT_RUN_FILE_READER_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/job.h"

namespace poprt {

// The report in `text`, or nullopt and in `complaint` one line: `name`, where
// in the file, and what is wrong there.
std::optional<JobReport> parse_run_file(std::string_view text,
                                        const std::string& name,
                                        std::string* complaint);

// The same of the file at `path`; "-" is standard input.
std::optional<JobReport> read_run_file(const std::string& path,
                                       std::string* complaint);

}  // namespace poprt

#endif  // POPRT_RUN_FILE_READER_H_
