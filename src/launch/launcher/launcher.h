// mpirun, mpiexec and srun: finds where programs begin in their command lines.
#ifndef POPRT_LAUNCH_LAUNCHER_LAUNCHER_H_
#define POPRT_LAUNCH_LAUNCHER_LAUNCHER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "launch/loader/program.h"

namespace poprt {

enum class Launcher { kNone, kOpenMpi, kHydra, kSrun };

// Which launcher a file is, by its own name (after following links) and by the
// libraries it needs, because a file called "mpirun" may belong to any MPI.
Launcher launcher_of(const Program& program);

struct LauncherLine {
  // Where programs begin: one, or several with ':' between them.  Empty if the
  // launcher would start none (--version).
  std::vector<size_t> programs;
  // If not empty: why they are not known, and what to write instead.
  std::string complaint;
};

// `line[0]` is the launcher.
LauncherLine programs_in(const std::vector<std::string>& line,
                         Launcher launcher);

// Whether the command with this base name hands a job to a batch system, and
// ends before the job begins.
bool submits_jobs(const std::string& command);

// How many words follow this option of mpirun or mpiexec; -1 if not known.  The
// name is without '-'.
int values_of_option(const std::string& name, Launcher launcher);

// `line` with `inserted` in front of each of the programs.
std::vector<std::string> with_inserted(
    const std::vector<std::string>& line, const std::vector<size_t>& programs,
    const std::vector<std::string>& inserted);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LAUNCHER_LAUNCHER_H_
