// What the program gets that looks a function up in the MPI library itself.
#ifndef POPRT_WRAPPERS_LOOKED_UP_H_
#define POPRT_WRAPPERS_LOOKED_UP_H_

namespace poprt::mpi {

// In place of `function`, which it has found by this name in `scope`: our
// entry, if `function` is the MPI library's and we have one.  Changes what
// dlerror() says.
void* entry_for(void* function, const char* name, void* scope);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_LOOKED_UP_H_
