// How the MPI libraries are known that poprt can measure, beside those of the
// standard ABI (standard_abi.h).  Of any other one neither handles nor
// constants are known, and its functions must not be given poprt's.
#ifndef POPRT_BASE_KNOWN_MPI_H_
#define POPRT_BASE_KNOWN_MPI_H_

#include <string_view>

#include "base/standard_abi.h"

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

// The MPI whose PMPI_Init is in the file at this path, by the word for
// `poprt run --mpi`; "" for one that is not known.  `look_up(name)` finds what
// it has of a name; null: nothing.
template <class LookUp>
const char* key_of_known_mpi(std::string_view path, LookUp look_up) {
  // Open MPI's library with the standard ABI is one of both.
  if (has_standard_abi(path, look_up("PMPI_Abi_get_version"))) return "abi";
  if (look_up(kOpenMpiSymbol) != nullptr) return "openmpi";
  return is_mpich_by_name(path) || look_up(kMpichSymbol) != nullptr ? "mpich"
                                                                    : "";
}

}  // namespace poprt

#endif  // POPRT_BASE_KNOWN_MPI_H_
