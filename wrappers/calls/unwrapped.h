// The MPI functions to which the program refers and that are not measured:
// extensions of its MPI library, functions that came after this library, and
// those that a library calls past this one.
#ifndef POPRT_WRAPPERS_CALLS_UNWRAPPED_H_
#define POPRT_WRAPPERS_CALLS_UNWRAPPED_H_

#include <string_view>
#include <vector>

#include "model/totals.h"

namespace poprt::mpi {

// Whether a function of an MPI library is neither wrapped nor one of
// local_calls.txt.  In C or Fortran: "PMPI_Send", "mpi_send_f08_".
bool is_unwrapped(std::string_view name);

// Those to which the program and its libraries, as they are loaded now, refer
// in the MPI library, and wrapped ones that a library takes from there; sorted.
// `so_far`: without those that have certainly not been called yet.  Reads
// relocations: not in a signal handler.
std::vector<UnwrappedCall> unwrapped_calls(bool so_far);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_UNWRAPPED_H_
