// mpirun, mpiexec and srun: where in their command lines a program begins.
#ifndef POPRT_LAUNCH_LAUNCHER_H_
#define POPRT_LAUNCH_LAUNCHER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "launch/program.h"

namespace poprt {

enum class Launcher { kNone, kOpenMpi, kHydra, kSrun };

// What the file that a command names is, by its own name (behind links) and by
// what it needs: "mpirun" may be anybody's.
Launcher launcher_of(const Program& program);

struct LauncherLine {
  // Where programs begin: one, or several with ':' between them.  Empty where
  // the launcher would start none (--version).
  std::vector<size_t> programs;
  // Not empty: why they are not known, and what to write instead.
  std::string complaint;
};

// `line[0]` is the launcher.
LauncherLine programs_in(const std::vector<std::string>& line,
                         Launcher launcher);

// How many words follow the option of mpirun or mpiexec; -1: not known.  The
// name is without '-'.
int values_of_option(const std::string& name, Launcher launcher);

// `line` with `inserted` before each of the programs.
std::vector<std::string> with_inserted(
    const std::vector<std::string>& line, const std::vector<size_t>& programs,
    const std::vector<std::string>& inserted);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LAUNCHER_H_
