// Looks for an MPI library whose calls do not go through this library.
#ifndef POPRT_SESSION_UNSEEN_MPI_H_
#define POPRT_SESSION_UNSEEN_MPI_H_

namespace poprt {

// Whether any MPI library in this process, in whatever scope it was loaded, is
// or was initialised.  Remembers a library that was initialised at an earlier
// call and has been unloaded since.
bool in_unseen_mpi();

// Likewise, from the libraries alone that are loaded now.
bool has_initialized_mpi();

}  // namespace poprt

#endif  // POPRT_SESSION_UNSEEN_MPI_H_
