// From what a program is to how it is started: values in, values out.
#ifndef POPRT_LAUNCH_PLAN_H_
#define POPRT_LAUNCH_PLAN_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launch/environment.h"
#include "launch/program.h"

namespace poprt {

// What of poprt is on this machine: paths; "" and absent where it is not.
struct Installation {
  std::map<Mpi, std::string> mpi_libraries;
  std::map<Mpi, std::string> examples;  // programs that were built for it
  std::string omp_library;
  std::string locations;  // poprt-locations
};

// Looks for it beside the program `self`, installed or in its build folder.
// `libdir` is the way from the program's folder to that of libraries.
Installation installation_of(const std::string& self,
                             const std::string& libdir);

// Of its libraries one that the loader cannot preload, because LD_PRELOAD ends
// its entries at blanks and colons; "" for none.
std::string unloadable_library(const Installation& installation);
bool can_be_preloaded(const std::string& path);

// The value of --omp: "auto", "keep", or the path of a runtime.
struct OpenMpChoice {
  std::string wish = "auto";
  std::string libomp;  // what "auto" takes; "" where none has been found
};

// The value of --mpi: "auto", "openmpi", "mpich", or the path of a library,
// that of an MPI or a libpoprt.so.
struct MpiChoice {
  std::string wish = "auto";
  Mpi mpi = Mpi::kNone;  // the one that is named
  std::string library;   // the libpoprt.so that is named
};

// What such a value means; nullopt where the file is neither.
std::optional<MpiChoice> mpi_choice_of(const std::string& wish);

struct Plan {
  Environment changes;  // variables to set
  std::string message;  // one line, for one process to say; may be empty
  // Which --mpi would measure an MPI that the program loads later; empty where
  // its MPI is known.
  std::string other_mpis;
};

// How a program is started with the library, or, where nothing can be
// preloaded, without it; the message says which.  REQUIRES: a program that is
// there and can be executed, and paths that can be preloaded.
Plan plan_program(const std::string& name, const Program& program,
                  const Environment& environment,
                  const Installation& installation, const OpenMpChoice& openmp,
                  const MpiChoice& mpi = {});

// The MPI whose launcher has started this process, as far as it tells.
Mpi mpi_of_job(const Environment& environment);

// Whether this process is one of a job's, and the first one of it (true where
// there is no job).
bool is_in_job(const Environment& environment);
bool is_first_of_job(const Environment& environment);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PLAN_H_
