// Only in the library without MPI: when a program ends that uses MPI, or an
// OpenMP runtime without OMPT, says why there is no report.  A process that has
// an MPI library loaded but has not called it is a launcher or a helper:
// nothing is said there.
#include "session/lifecycle.h"

namespace {

__attribute__((destructor)) void at_unload() { poprt::explain_unseen(); }

}  // namespace
