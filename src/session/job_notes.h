// Notes on the whole job, from values.
#ifndef POPRT_SESSION_JOB_NOTES_H_
#define POPRT_SESSION_JOB_NOTES_H_

#include <cstdint>
#include <string>

#include "base/launched.h"
#include "base/options.h"
#include "model/totals.h"

namespace poprt {

// Regions that the options name and no process has started, which may be a
// mistake in their names.
void note_what_is_missing(const Options& options, JobTotals* job);

// In an MPI_COMM_WORLD of `size` processes; empty if it is that of the
// launcher.
std::string note_on_jobs_of_one(const Launched& launched, int size);

// The program ended an OpenMP runtime that may have gone on since, without
// telling of it.  `job` is all that was measured: leaves out what its threads
// did.
void leave_out_ended_openmp(JobTotals* job);
// The same, where `job` is what was measured until then, `ended_ns` after the
// start.
void note_totals_until_openmp_ended(int64_t ended_ns, int64_t end_ns,
                                    JobTotals* job);

}  // namespace poprt

#endif  // POPRT_SESSION_JOB_NOTES_H_
