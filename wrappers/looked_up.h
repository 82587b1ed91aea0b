// What the program gets that looks a function up in the MPI library itself.
#ifndef POPRT_WRAPPERS_LOOKED_UP_H_
#define POPRT_WRAPPERS_LOOKED_UP_H_

namespace poprt::mpi {

// In place of `function`, which it has found by this name: the first one in the
// order of loading, if `function` is the MPI library's.
void* in_front_of(void* function, const char* name);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_LOOKED_UP_H_
