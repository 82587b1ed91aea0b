// Finds where programs begin in the command lines of launchers
// (base/launchers.h).  It has to know how many words follow each option, and
// never guesses: a value may look like a program (--map-by node).
#ifndef POPRT_LAUNCH_LAUNCHER_LAUNCHER_H_
#define POPRT_LAUNCH_LAUNCHER_LAUNCHER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "base/launchers.h"
#include "launch/loader/program.h"

namespace poprt {

// The launcher that starts the programs of this line; null if it is none, or if
// nothing is known of its command line.  By the file's own name, that after
// following links, and the libraries it needs, because a file called "mpirun"
// may belong to any MPI.
const Launcher* launcher_of(const std::vector<std::string>& line,
                            const Program& program);

struct LauncherLine {
  // Where programs begin: one, or several with ':' between them.  Empty if the
  // launcher would start none (--version).
  std::vector<size_t> programs;
  // If not empty: why they are not known, and what to write instead.
  std::string complaint;
};

// REQUIRES: `launcher` is that of the line.
LauncherLine programs_in(const std::vector<std::string>& line,
                         const Launcher& launcher);

// "mpirun, mpiexec, flux run", ...: those whose command lines are known.
std::string known_launchers();

// Whether the line hands a job to a batch system, and ends before the job
// begins.
bool submits_jobs(const std::vector<std::string>& line);

// The launcher's `line` with `inserted` in front of each of the programs, and
// with what the launcher needs for that.
std::vector<std::string> with_inserted(
    const std::vector<std::string>& line, const Launcher& launcher,
    const std::vector<size_t>& programs,
    const std::vector<std::string>& inserted);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LAUNCHER_LAUNCHER_H_
