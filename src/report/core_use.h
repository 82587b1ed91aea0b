// Whether threads had the cores that the report counts.
#ifndef POPRT_REPORT_CORE_USE_H_
#define POPRT_REPORT_CORE_USE_H_

#include <string>
#include <vector>

#include "model/job.h"
#include "report/sentence.h"

namespace poprt {

// Why threads lacked cores, as the end of a sentence; none where the numbers do
// not prove it.
extern const Sentence<JobReport> kWhyNoCore[2];

// What to do against it with the cores that this job may use.
extern const Sentence<JobReport> kHowToGetCores[7];

// How many threads each process has, for a launcher's command; "THREADS" where
// they have not the same number.
std::string threads_of_each(const JobReport& report);

// Whether threads waited for cores as if they took turns on them: those that
// sleep do not.  True if it is not known.
bool took_turns(const JobReport& report);

// "node1: 8 threads on 2 cores" for the hosts with more threads than cores that
// they might use.
std::vector<std::string> crowded_hosts(const JobReport& report);

// The share of the useful time in which certainly no thread was on a core, nor
// waited for one.  NaN: not known.
double slept_share(const JobReport& report);
// Whether that is worth a word.
bool has_slept(const JobReport& report);

// What the hosts are, and which of their cores the job might use, in a few
// words each; empty if it is not known.
std::vector<std::string> host_facts(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_CORE_USE_H_
