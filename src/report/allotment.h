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

// The processors that the batch system says it has given to the hosts of this
// job, if no cpuset shows it; else 0.
int64_t cpus_by_word(const JobReport& report);

// The cores of the job on which none of its threads might run: "cores 2-3 of
// node1".  None where nobody has given cores to the job: a program need not use
// all of a machine.
std::vector<std::string> unused_cores(const JobReport& report);

// Hosts that had more cores for the job's threads than threads; none of those
// whose cores nobody has given to the job.
struct IdleCores {
  int64_t usable = 0;
  int64_t threads = 0;
  std::vector<std::string> hosts = {};
};
IdleCores idle_cores(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_ALLOTMENT_H_
