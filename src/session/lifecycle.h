// When measurement starts and ends, and what is done then.
//
// It starts with the first of: MPI_Init, the start of the OpenMP runtime, a
// region.  It ends once: with MPI_Finalize, or in a program without MPI with
// exit().  Only the end in MPI_Finalize may communicate.  In the child of a
// fork() nothing is written.  Where that end does not come, as after MPI_Abort,
// checkpoints are left (checkpoint.h).
#ifndef POPRT_SESSION_LIFECYCLE_H_
#define POPRT_SESSION_LIFECYCLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "measure/thread.h"
#include "session/transport.h"

namespace poprt {

// Starts measurement.  The thread that does so first is the primary thread.
// Idempotent and thread-safe.  False if measurement has already ended.
bool start_measurement();
// Like start_measurement(), for the program's first region.  Without MPI and
// OpenMP, Global begins here.
bool start_with_region();
// Like start_measurement(), for the start of an OpenMP runtime, whose name is
// `runtime` and which has code at this address.
bool start_with_openmp(const char* runtime, const void* in_runtime);
// Whether the user wants what OpenMP does with devices measured
// (POPRT_DEVICES).  May be called before anything else.
bool wants_openmp_devices();
// Code for devices is being loaded, so their library may start, which may be
// long before measurement does: takes its place for tools if the user asks for
// it.
void devices_starting();
// The OpenMP runtime with code at this address has ended while the program goes
// on (omp_pause_resource_all).  The program may start it again; if that is
// without start_with_openmp(), what it does from here on is not known, and the
// report is as of a program whose OpenMP could not be measured; without MPI it
// is of what was measured until here.
void openmp_ended(const void* in_runtime);
// This library has been loaded.  Begins anew with another one where the program
// needs that (hand_over.h).
void loaded();
// The process has been loaded, with a library in which nothing else may start
// measurement: starts it when the program creates a thread, if the user asks
// for threads (POPRT_THREADS=all).
void loaded_without_mpi();
// The OpenMP runtime reports to another tool, whose image is `path`.
void give_way_to_tool(const std::string& path);
// This library is being unloaded, mostly because the process ends.  If
// measurement never started, tells `poprt run` so, or the user if the program
// has called an MPI that this library does not see.  If MPI_Finalize does not
// come, tells the user.
void unloading();
// Like unloading(), in the library without MPI: explains why there
// is no report, if the program's MPI or its OpenMP runtime is the reason.
void explain_unseen();

// MPI_Init has been called.  From now on there is a report only if MPI_Finalize
// is called.  REQUIRES: start_measurement() has returned true.
void mpi_starting();
// MPI has been initialised.  `unwrapped_calls`: see ask_for_unwrapped_calls().
void mpi_started(const std::string& library, const std::string& thread_level,
                 std::vector<UnwrappedCall> (*unwrapped_calls)(bool));
// MPI_COMM_WORLD has `size` processes.  If the launcher has started more, adds
// a note that each of them has become a job of its own.
void mpi_world_is(int size);
// MPI_Init returns to the program: Global begins here.  What was measured
// before is dropped, and so is what the tool did in MPI_Init (docs/edges.md).
void mpi_begun();
// `transport` reaches the processes of the job until MPI_Finalize.
void mpi_connected(Transport* transport);
// This process is the one with this rank in a job of `size` processes, of which
// all have the same random number `job`; 0: they have none.
void mpi_job_is(uint64_t job, int rank, int size);
// Gives the transport to a call of the program for the whole job; null if this
// process is the whole job.  False: there are other processes, but no
// transport.
bool reach_job(Transport** transport);
// In MPI_Finalize, at the thread's last event: combines the totals of all
// processes and writes the report on one of them.
void mpi_finishing(Thread& thread, Transport& transport);
// After that, when all processes are there: nothing of checkpoints is left.
void mpi_finished();
// Whether this process prints messages for its job, as the launcher's
// environment tells.  True without a launcher.
bool is_first_process();

// Ends measurement without a report and tells the user why, once.
void give_up_measurement(const std::string& complaint);
// MPI_Abort has been called, which prints its own message.
void mpi_aborting(int code);

}  // namespace poprt

#endif  // POPRT_SESSION_LIFECYCLE_H_
