// A program that calls neither MPI nor OpenMP never calls this library, and one
// that does not call MPI_Finalize does not end its measurement.  Unloading is
// the only moment to report that.
#include "session/lifecycle.h"

namespace {

__attribute__((destructor)) void at_unload() { poprt::unloading(); }

}  // namespace
