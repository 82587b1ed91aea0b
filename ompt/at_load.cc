// A program below a shell or make may need the library of another MPI.
#include "session/lifecycle.h"

namespace {

// glibc passes the program's arguments.
__attribute__((constructor)) void at_load(int, char** argv) {
  poprt::loaded(argv);
}

}  // namespace
