// The processes of a job, as the kernel shows them.
#ifndef POPRT_WRAPPERS_NODE_JOB_PROCESSES_H_
#define POPRT_WRAPPERS_NODE_JOB_PROCESSES_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/launched.h"

namespace poprt::mpi {

// Whether each of these ranks surely runs MPI without this library.  A rank may
// have several processes, such as the shell that has started its program: one
// of them has an MPI library or, as static programs, no libraries, and none has
// this library.  False if anything cannot be seen: processes in other
// containers, or after the program has overwritten its environment.
//
// `launcher`: the process that has started the ranks, if the job has no name.
// `folder`: /proc, but for tests.
bool surely_lack_library(const OneNodeJob& job, pid_t launcher,
                         const std::vector<int>& ranks,
                         const std::string& folder = "/proc");

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_JOB_PROCESSES_H_
