// What is known of the parts of the time in MPI.
#ifndef POPRT_REPORT_MPI_TIME_H_
#define POPRT_REPORT_MPI_TIME_H_

#include "model/job.h"

namespace poprt {

// Whether the job spent time in MPI, and its parts were measured.
bool has_mpi_parts(const JobReport& report);

// Whether the run kept the clock of the model `waiting`.
bool has_waiting_path(const JobReport& report);

// Whether much of the time in MPI is in calls whose partner's clock is not
// known.
bool has_unknown_partners(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_MPI_TIME_H_
