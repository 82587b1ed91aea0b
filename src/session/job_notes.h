// Notes on the whole job, from values.
#ifndef POPRT_SESSION_JOB_NOTES_H_
#define POPRT_SESSION_JOB_NOTES_H_

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

// `ended_ns` after the start the program ended an OpenMP runtime that may have
// gone on since, without telling of it.  `job` is what was measured until then;
// or, if not `is_until_then`, all, of which threads of OpenMP are left out
// here.
void note_end_of_openmp(bool is_until_then, int64_t ended_ns, int64_t end_ns,
                        JobTotals* job);

}  // namespace poprt

#endif  // POPRT_SESSION_JOB_NOTES_H_
