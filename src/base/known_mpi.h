// How the MPI libraries are known that poprt can measure, beside those of the
// standard ABI (standard_abi.h).  Of any other one neither handles nor
// constants are known, and its functions must not be given poprt's.
#ifndef POPRT_BASE_KNOWN_MPI_H_
#define POPRT_BASE_KNOWN_MPI_H_

#include <string_view>

namespace poprt {

// mpi.h of each names it, so that its library has it under any file name.
inline constexpr char kOpenMpiSymbol[] = "ompi_mpi_comm_world";
inline constexpr char kMpichSymbol[] = "MPIR_Dup_fn";

// Whether a file of this name, or at this path, has MPICH's ABI, as Intel MPI
// and others do.  Open MPI's version numbers have been 20 and above for ten
// years.
inline bool is_mpich_by_name(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "libmpi.so.12" || name.starts_with("libmpi.so.12.") ||
         name.starts_with("libmpich.so");
}

}  // namespace poprt

#endif  // POPRT_BASE_KNOWN_MPI_H_
