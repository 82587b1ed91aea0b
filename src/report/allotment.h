// The cores that a batch system or a cpuset has given to the job, and those
// that its threads use.
#ifndef POPRT_REPORT_ALLOTMENT_H_
#define POPRT_REPORT_ALLOTMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/job.h"

namespace poprt {

// "64(x2),32" of Slurm: 160 processors; 0 if it is anything else.
int64_t cpus_in_slurms_text(const std::string& text);

// Notes on cores of the job that no thread used.  None where nobody has given
// cores to the job: a program need not use all of a machine.
std::vector<std::string> allotment_notes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_ALLOTMENT_H_
