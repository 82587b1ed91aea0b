// A program that calls neither MPI nor OpenMP never calls this library.
// Unloading is the only moment to report that.
#include "session/lifecycle.h"

namespace {

__attribute__((destructor)) void at_unload() { poprt::tell_if_never_started(); }

}  // namespace
