// A run that TALP measured, as far as poprt can show it.
//
// Its file has sums over all threads: enough for the model talp, which is
// computed as for any other run (docs/metrics.md); all else is undefined.  A
// paradigm that made no call is absent, although TALP writes 1.00 for it.
#ifndef POPRT_EXCHANGE_TALP_IMPORT_H_
#define POPRT_EXCHANGE_TALP_IMPORT_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/job.h"

namespace poprt {

// The run in `text`, or nullopt and in `complaint` one line: `name`, where in
// the file, and what is wrong there.  The file may come from anywhere.
std::optional<JobReport> parse_talp(std::string_view text,
                                    const std::string& name,
                                    std::string* complaint);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_TALP_IMPORT_H_
