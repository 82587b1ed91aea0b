// Imports a run that was measured by TALP.
//
// TALP's file has sums over all threads.  They are enough for the model talp,
// which is computed as for any other run (docs/metrics.md); all other metrics
// are undefined.  A paradigm (MPI, OpenMP) that made no call counts as absent,
// although TALP writes 1.00 for it.
#ifndef POPRT_EXCHANGE_TALP_IMPORT_H_
#define POPRT_EXCHANGE_TALP_IMPORT_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/job.h"

namespace poprt {

// The run in `text`. nullopt if there is an error; then `complaint` is one line
// with `name`, the place in the file, and the error.  The file may come from
// anywhere.
std::optional<JobReport> parse_talp(std::string_view text,
                                    const std::string& name,
                                    std::string* complaint);

}  // namespace poprt

#endif  // POPRT_EXCHANGE_TALP_IMPORT_H_
