// Tools of MPI's profiling interface (PMPI): libraries that define some of
// MPI's functions and call the PMPI function of the same name.  The first
// library in the order of loading gets the program's calls, and poprt's own
// calls go to PMPI: a tool sees what it would see alone only in front of poprt.
#ifndef POPRT_LAUNCH_LOADER_MPI_TOOLS_H_
#define POPRT_LAUNCH_LOADER_MPI_TOOLS_H_

#include <string>
#include <vector>

#include "launch/environment.h"
#include "launch/loader/libraries.h"

namespace poprt {

// Whether the file is one: not an MPI library, nor a libpoprt.so, which define
// the PMPI functions, too.
bool is_mpi_tool(const std::string& path);

// The tools of a program, in the order of loading and as LD_PRELOAD may name
// them: entries of LD_PRELOAD, then what the program is linked with.  `files`:
// what it loads, itself first.
std::vector<std::string> mpi_tools_of(const std::vector<LoadedFile>& files,
                                      const Environment& environment,
                                      const LoaderCache& cache);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_MPI_TOOLS_H_
