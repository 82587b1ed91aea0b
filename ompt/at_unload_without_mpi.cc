// Of the library without MPI only: a program with MPI, or whose OpenMP runtime
// tells tools nothing, ends.  A process with MPI's library that calls no MPI is
// a launcher, or a helper of the program's, and nobody's report is missing.
#include "runtime/lifecycle.h"

namespace {

__attribute__((destructor)) void at_unload() {
  poprt::lifecycle::explain_unseen();
}

}  // namespace
