// What a program is, as far as preloading into it is concerned.
#ifndef POPRT_LAUNCH_PROGRAM_H_
#define POPRT_LAUNCH_PROGRAM_H_

#include <string>
#include <vector>

#include "launch/environment.h"
#include "launch/libraries.h"

namespace poprt {

enum class Mpi { kNone, kOpenMpi, kMpich };

// "Open MPI", "MPICH"; the folder of its library: "openmpi", "mpich".
const char* name_of(Mpi mpi);
const char* key_of(Mpi mpi);

enum class Kind {
  kMissing,        // no such file, here or in PATH
  kNotExecutable,  // a folder, or a file without the right to run it
  kDynamic,        // can be preloaded into
  kStatic,         // has no loader that would preload
  kPrivileged,     // setuid, setgid or capabilities: the loader must not
  kForeign,        // for another machine
  kUnknown,        // neither ELF nor a script
};

struct Program {
  Kind kind = Kind::kMissing;
  std::string path;    // of the file that was named
  std::string binary;  // of the one that runs: of a script its interpreter
  Mpi mpi = Mpi::kNone;
  bool is_python = false;
  bool needs_open_mpi_runtime = false;  // as its launchers do
  bool has_llvm_openmp = false;
  std::string libgomp;  // path of GCC's OpenMP runtime, if it is loaded
  // A symbol in what uses libgomp that LLVM's runtime does not serve as GCC's
  // does; empty: none.
  std::string unserved_symbol;
};

// The path that a word of a command line means: itself if it has a '/', else
// from PATH; "" for none.
std::string path_of_command(const std::string& word,
                            const Environment& environment);

// Looks into files and runs nothing.  A script's interpreter is followed, and
// with Python its mpi4py.
Program inspect_program(const std::string& word, const Environment& environment,
                        const LoaderCache& cache);

// What the first line of the file at `path` asks for; "" where it is no script.
std::string script_interpreter(const std::string& path);

// The MPI among these files; kNone where there is none.
Mpi mpi_among(const std::vector<LoadedFile>& files);

// What a file is for, by its symbols.
struct MpiLibrary {
  Mpi mpi = Mpi::kNone;   // which MPI's library it is
  bool is_poprt = false;  // a libpoprt.so, for whatever MPI
};
MpiLibrary mpi_library(const std::string& path);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROGRAM_H_
