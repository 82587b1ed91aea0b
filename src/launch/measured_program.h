// Which program of a command line is the one that is measured.
#ifndef POPRT_LAUNCH_MEASURED_PROGRAM_H_
#define POPRT_LAUNCH_MEASURED_PROGRAM_H_

#include <string>
#include <vector>

#include "launch/program.h"

namespace poprt {

// Whether it shows that it has MPI or OpenMP.
bool shows_what_is_measured(const Program& program);

// The program that counts of a command line: the first word, or where that
// shows no MPI and no OpenMP (numactl, time, a script) the first that does of
// its arguments and of what they and the script mention; scripts are read, not
// run.  Of these Python is the last, since many scripts use it.  `name` is how
// it was called.
Program measured_program(const std::vector<std::string>& words,
                         const Environment& environment,
                         const LoaderCache& cache, std::string* name);

}  // namespace poprt

#endif  // POPRT_LAUNCH_MEASURED_PROGRAM_H_
