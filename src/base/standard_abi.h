// MPI's standard ABI (MPI 5.0, chapter 20): libraries named libmpi_abi.so,
// whose handles and constants are those of one libpoprt.so alone.
#ifndef POPRT_BASE_STANDARD_ABI_H_
#define POPRT_BASE_STANDARD_ABI_H_

#include <string_view>

namespace poprt {

// Whether a file of this name, or at this path, is such a library: their name
// for the loader, or libmpi_abi_mpich.so.1.0.0, to which that name leads.
inline bool is_standard_abi(std::string_view path) {
  return path.substr(path.rfind('/') + 1).starts_with("libmpi_abi");
}

// Whether the MPI library whose PMPI_Init is in the file at this path has it: a
// library of any name may.  `get_version`: its PMPI_Abi_get_version, which
// gives -1 where it has not; null for none.
inline bool has_standard_abi(std::string_view path, void* get_version) {
  if (is_standard_abi(path)) return true;
  if (get_version == nullptr) return false;
  int major = -1;
  int minor = -1;
  return reinterpret_cast<int (*)(int*, int*)>(get_version)(&major, &minor) ==
             0 &&
         major >= 0;
}

}  // namespace poprt

#endif  // POPRT_BASE_STANDARD_ABI_H_
