// What a program is, as far as it matters for preloading.
#ifndef POPRT_LAUNCH_LOADER_PROGRAM_H_
#define POPRT_LAUNCH_LOADER_PROGRAM_H_

#include <string>
#include <vector>

#include "base/launchers.h"
#include "launch/environment.h"
#include "launch/loader/libraries.h"

namespace poprt {

// kOther: one of which nothing is known.
enum class Mpi { kNone, kOpenMpi, kMpich, kStandardAbi, kOther };
// Those for which poprt has a library.
inline constexpr Mpi kMpis[] = {Mpi::kOpenMpi, Mpi::kMpich, Mpi::kStandardAbi};

// name_of(): "Open MPI", "MPICH".  key_of(): "openmpi", "mpich", "abi", which
// is also the folder of poprt's library for it; "" for others.
const char* name_of(Mpi mpi);
const char* key_of(Mpi mpi);

enum class Kind {
  kMissing,        // no such file, neither here nor in PATH
  kNotExecutable,  // a folder, or a file without execute permission
  kDynamic,        // dynamically linked: can be preloaded into
  kStatic,         // statically linked: has no loader
  kPrivileged,  // setuid, setgid or capabilities: the loader refuses to preload
  kForeign,     // for another machine
  kMusl,        // for musl's C library
  kUnknown,     // neither ELF nor a script
};

struct Program {
  Kind kind = Kind::kMissing;
  std::string path;    // the file that was named
  std::string binary;  // the file that runs: for a script its interpreter
  Mpi mpi = Mpi::kNone;
  std::string mpi_library;  // its file, or its name if that is missing
  std::string c_library;    // path of its libc.so.6, if it is known
  bool is_python = false;
  // The launcher whose libraries it needs, as the launcher itself does.
  const Launcher* launcher_needed = nullptr;
  bool has_openmp_for_tools = false;  // a runtime as LLVM's
  // PMPI tools that are preloaded or linked (mpi_tools.h).
  std::vector<std::string> mpi_tools;
  std::string libgomp;  // path of GCC's OpenMP runtime, if it is loaded
  // Path of another OpenMP runtime that has no interface for tools.
  std::string other_openmp;
  // Path of the address sanitizer's runtime, if it is loaded.  It ends the
  // program unless it is the first library.
  std::string address_sanitizer;
  bool has_cuda = false;  // it, or a library that it links, has code for GPUs
  // A symbol that a user of libgomp needs and that LLVM's runtime does not
  // provide in the way of GCC's; empty for none.
  std::string unserved_symbol;
};

// The path that a word of a command line means: the word itself if it contains
// '/', else the file in PATH; "" for none.
std::string path_of_command(const std::string& word,
                            const Environment& environment);

// Reads files and runs nothing.  Follows a script's interpreter, and mpi4py for
// Python.
Program inspect_program(const std::string& word, const Environment& environment,
                        const LoaderCache& cache);

// The interpreter that the first line of the file at `path` names; "" if it is
// no script.
std::string script_interpreter(const std::string& path);

// The MPI whose library is among these files, and that library; kNone and "" if
// there is none.
Mpi mpi_among(const std::vector<LoadedFile>& files, std::string* library);

// What a library is for, as its symbols tell.
struct MpiLibrary {
  Mpi mpi = Mpi::kNone;   // which MPI's library it is
  bool is_poprt = false;  // a libpoprt.so, for any MPI
};
MpiLibrary mpi_library(const std::string& path);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_PROGRAM_H_
