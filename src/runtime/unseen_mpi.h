// An MPI library that this library does not see: its calls do not come here.
#ifndef POPRT_RUNTIME_UNSEEN_MPI_H_
#define POPRT_RUNTIME_UNSEEN_MPI_H_

namespace poprt {

// Whether some MPI library of this process, in whatever scope it was loaded,
// has been initialised; or was seen to be when this was asked before, and has
// been unloaded since.
bool in_unseen_mpi();

}  // namespace poprt

#endif  // POPRT_RUNTIME_UNSEEN_MPI_H_
