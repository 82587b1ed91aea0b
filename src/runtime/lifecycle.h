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
// The same for the start of the OpenMP runtime, and which it is.
bool start_with_openmp(const char* runtime);
// The OpenMP runtime reports to another tool, in the image `path`.
void give_way_to_tool(const std::string& path);
// The process ends, and none of the above may have happened: tells `poprt run`.
void never_started();
// The same where the library has no MPI: says why there is no report, if it is
// because of the program's MPI or its OpenMP runtime.
void explain_unseen();

// MPI_Init is called: from here on there is no report without MPI_Finalize.
// REQUIRES: start() was true.
void mpi_starting();
// MPI is there.
void mpi_started(const std::string& library, const std::string& thread_level);
// So many processes are in it: says so where the launcher has started more, and
// each has become a job of its own.
void mpi_world_is(int size);
// The program goes on behind MPI_Init: what was before does not count
// (measurement.md, 3), nor what the tool did there.
void mpi_begun();
// The processes of the job can be reached by this transport, which stays, until
// MPI_Finalize.
void mpi_connected(Transport* transport);
// How to reach them, when the program wants to; null: this process is the job.
// False: there are others, and no way to them.
bool reach_job(Transport** transport);
// MPI_Finalize is called, at the thread's last event: combines the totals of
// all processes and writes the report on one of them.
void mpi_finishing(Thread& thread, Transport& transport);
// Whether this is the process of its job that speaks for all, as far as the
// launcher's environment tells; a process without a launcher is.
bool is_first_process();

// Measurement ends without a report, for this reason, which the user is told
// once.
void give_up(const std::string& complaint);
// MPI_Abort is called, which says itself what happens.
void aborting();

}  // namespace poprt::lifecycle

#endif  // POPRT_RUNTIME_LIFECYCLE_H_
