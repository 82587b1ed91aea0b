// Decides how a program is started: values in, values out.
#ifndef POPRT_LAUNCH_PLAN_H_
#define POPRT_LAUNCH_PLAN_H_

#include <map>
#include <optional>
#include <string>

#include "launch/environment.h"
#include "launch/loader/program.h"

namespace poprt {

// Paths of what is installed of poprt; empty or absent if it is not.
struct Installation {
  std::map<Mpi, std::string> mpi_libraries;
  std::map<Mpi, std::string> examples;  // example programs, by MPI
  std::string omp_library;
  std::string locations;  // poprt-locations
  std::string topology;   // poprt-topology
  // Without OMPT's header the libraries are built without their OpenMP layer.
  bool sees_openmp = true;
};

// Looks beside the program `self`, which is installed or in its build folder.
// `libdir` is the path from the program's folder to the libraries.
Installation installation_of(const std::string& self,
                             const std::string& libdir);

// A library that cannot be preloaded because its path has blanks or colons, at
// which LD_PRELOAD ends its entries; "" for none.
std::string unloadable_library(const Installation& installation);
bool can_be_preloaded(const std::string& path);

// The value of --omp: "auto", "keep", or the path of a runtime.
struct OpenMpChoice {
  std::string wish = "auto";
  std::string libomp;  // what "auto" takes; "" if none was found
  // A version of glibc that the runtime, named or taken, needs and the program
  // does not have ("GLIBC_2.34"): the loader would end it.  "" for none.
  std::string missing_version = "";
};

// The value of --mpi: "auto", "openmpi", "mpich", or the path of an MPI library
// or of a libpoprt.so.
struct MpiChoice {
  std::string wish = "auto";
  Mpi mpi = Mpi::kNone;  // the MPI that is named
  std::string library;   // the libpoprt.so that is named
};

// Parses the value; nullopt if the file is neither.
std::optional<MpiChoice> mpi_choice_of(const std::string& wish);

struct Plan {
  Environment changes;  // variables to set
  std::string message;  // one line, printed by one process; may be empty
  // The value of --mpi for an MPI that the program loads later; empty if its
  // MPI is known.
  std::string other_mpis;
};

// How a program is started with the library, or without it if nothing can be
// preloaded: the message says which.  REQUIRES: the program exists and can be
// executed, and paths can be preloaded.
Plan plan_program(const std::string& name, const Program& program,
                  const Environment& environment,
                  const Installation& installation, const OpenMpChoice& openmp,
                  const MpiChoice& mpi = {});

// The MPI whose launcher has started this process, if its environment tells.
Mpi mpi_of_job(const Environment& environment);

// is_in_job(): whether this process was started by a launcher.
// is_first_of_job(): whether it is the first process of its job; true without a
// job.
bool is_in_job(const Environment& environment);
bool is_first_of_job(const Environment& environment);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PLAN_H_
