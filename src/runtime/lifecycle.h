// When measurement starts and ends, and what happens then.
//
// It starts with the first of: MPI_Init, the start of the OpenMP runtime, a
// region.  It ends once, with the first of: MPI_Finalize, the end of the OpenMP
// runtime, exit().  Only the end in MPI_Finalize may communicate.  In a child
// of fork(), and after MPI_Abort, nothing is written.
#ifndef POPRT_RUNTIME_LIFECYCLE_H_
#define POPRT_RUNTIME_LIFECYCLE_H_

#include <string>

#include "runtime/thread.h"
#include "runtime/transport.h"

namespace poprt::lifecycle {

// Starts measurement; the calling thread becomes the primary thread if it is
// the first.  Idempotent and thread-safe.  False where it is over already.
bool start();
// The same for a program's first region, where Global begins if the program
// has no MPI and no OpenMP.
bool start_with_region();

// The program's OpenMP runtime has started, and which it is.
// REQUIRES: start() was true.
void openmp_started(const char* runtime);
// The program ends, and none of the above has happened: says why there is no
// report, if it is because of its OpenMP runtime.
void never_started();

// MPI_Init is called: from here on there is no report without MPI_Finalize.
// REQUIRES: start() was true.
void mpi_starting();
// MPI_Init has returned: what was before does not count (measurement.md, 3).
void mpi_started(const std::string& library, const std::string& thread_level);
// MPI_Finalize is called, at the thread's last event: combines the totals of
// all processes and writes the report on one of them.
void mpi_finishing(Thread& thread, Transport& transport);
// Whether this is the process of its job that speaks for all, as far as the
// launcher's environment tells; a process without a launcher is.
bool is_first_process();

// Measurement ends without a report: MPI_Abort, an MPI that cannot be measured.
void give_up();

}  // namespace poprt::lifecycle

#endif  // POPRT_RUNTIME_LIFECYCLE_H_
