// Finds the program in a command line that is measured.
#ifndef POPRT_LAUNCH_LOADER_MEASURED_PROGRAM_H_
#define POPRT_LAUNCH_LOADER_MEASURED_PROGRAM_H_

#include <string>
#include <vector>

#include "launch/loader/program.h"

namespace poprt {

// Whether the program is known to use MPI or OpenMP.
bool shows_what_is_measured(const Program& program);

// The program of a command line that matters: the first word, or if that shows
// neither MPI nor OpenMP (numactl, time, a script), the first such program
// among its arguments, and among what the arguments and the script mention.
// Scripts are read, not run.  Python counts last, because many scripts use it.
// Behind a dynamic loader the first word is that of its program.
// `name` is the word by which it was called.
Program measured_program(const std::vector<std::string>& words,
                         const Environment& environment,
                         const LoaderCache& cache, std::string* name);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_MEASURED_PROGRAM_H_
