// Of the library without MPI only: nothing calls it in a program whose OpenMP
// runtime tells tools nothing, so that the end of the program is the only
// moment to say so.
#include "runtime/lifecycle.h"

namespace {

__attribute__((destructor)) void at_unload() {
  poprt::lifecycle::never_started();
}

}  // namespace
