// What a report says of a run that did not come to its end.
#ifndef POPRT_REPORT_INCOMPLETE_H_
#define POPRT_REPORT_INCOMPLETE_H_

#include <string>

#include "model/job.h"

namespace poprt {

// Which ranks ended how, and which numbers are bounds, in one line; empty for
// a whole run.
std::string incomplete_note(const RunContext& context);

}  // namespace poprt

#endif  // POPRT_REPORT_INCOMPLETE_H_
