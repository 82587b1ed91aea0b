// Other mpi.h get this header from cmake/mpi.cmake: here mpi.h says itself
// which functions it has.
#ifndef POPRT_WRAPPERS_ABI_MPI_HAS_H_
#define POPRT_WRAPPERS_ABI_MPI_HAS_H_

#include <mpi.h>

#endif  // POPRT_WRAPPERS_ABI_MPI_HAS_H_
