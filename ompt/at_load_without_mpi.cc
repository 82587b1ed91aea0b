// Only in the library without MPI, for POPRT_THREADS=all: a program that uses
// neither MPI nor OpenMP never calls this library.
#include "session/lifecycle.h"

namespace {

__attribute__((constructor)) void at_load() { poprt::loaded_without_mpi(); }

}  // namespace
