// The MPI functions to which the program refers or for which it looks, and that
// are not measured: extensions of its MPI library, functions that came after
// this library, and those that a library calls past this one.
#ifndef POPRT_WRAPPERS_CALLS_UNWRAPPED_H_
#define POPRT_WRAPPERS_CALLS_UNWRAPPED_H_

#include <string_view>
#include <vector>

#include "model/totals.h"

namespace poprt::mpi {

// Whether this is an MPI function by its name and neither wrapped nor one of
// local_calls.txt.  In C or Fortran: "PMPI_Send", "mpi_send_f08_".
bool is_unwrapped(std::string_view name);

// The code at `caller` has asked the loader for a function that is_unwrapped():
// remembers it if it is the MPI library's, and the code is not.
void note_search(const char* name, const void* found, const void* caller);

// Remembers what the images that were loaded since the last call take from the
// MPI library and is not measured: they may be unloaded before the end.  Does
// nothing before the program calls MPI.
void note_new_images();

// Those to which the program and its libraries, as they are loaded now, refer
// in the MPI library, wrapped ones that a library takes from there, and those
// that are remembered; sorted.
// `so_far`: without those that have certainly not been called yet.  Reads
// relocations: not in a signal handler.
std::vector<UnwrappedCall> unwrapped_calls(bool so_far);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_UNWRAPPED_H_
