// A program with MPI below a shell or make: see base/mpi_libraries.h.
#ifndef POPRT_SESSION_HAND_OVER_H_
#define POPRT_SESSION_HAND_OVER_H_

namespace poprt {

// To be called when this library is loaded.  If the program needs an MPI for
// which `poprt run` has named another library, the process begins anew, by
// execve(), with that library preloaded instead.  Returns where there is
// nothing to do, where it is not possible, and in valgrind.
void hand_over_to_mpi_library();

}  // namespace poprt

#endif  // POPRT_SESSION_HAND_OVER_H_
