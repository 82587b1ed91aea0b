// A program below a shell or make may need the library of another MPI.
#include "session/lifecycle.h"

namespace {

__attribute__((constructor)) void at_load() { poprt::loaded(); }

}  // namespace
