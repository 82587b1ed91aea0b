// Why some numbers of a report may be wrong, and what the program did wrong.
#ifndef POPRT_REPORT_NOTES_H_
#define POPRT_REPORT_NOTES_H_

#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// One sentence each.
std::vector<std::string> quality_notes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_NOTES_H_
