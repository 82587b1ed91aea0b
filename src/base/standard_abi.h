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

}  // namespace poprt

#endif  // POPRT_BASE_STANDARD_ABI_H_
