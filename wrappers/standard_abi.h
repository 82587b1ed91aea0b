// Whether the program's MPI has the standard ABI (base/standard_abi.h), for
// which no libpoprt.so is compiled.
#ifndef POPRT_WRAPPERS_STANDARD_ABI_H_
#define POPRT_WRAPPERS_STANDARD_ABI_H_

namespace poprt::mpi {

// Written by resolve_pmpi(), before pmpi() returns.
extern bool g_standard_abi;

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_STANDARD_ABI_H_
