// Why some numbers of a report may be wrong, and what the program did wrong.
#ifndef POPRT_REPORT_NOTES_H_
#define POPRT_REPORT_NOTES_H_

#include <span>
#include <string>
#include <vector>

#include "model/job.h"
#include "report/sentence.h"

namespace poprt {

// Those of the report itself.
std::span<const Sentence<JobReport>> notes();

// All, one sentence each, with those of the run.
std::vector<std::string> quality_notes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_NOTES_H_
