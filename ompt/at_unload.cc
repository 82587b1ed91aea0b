// Nothing calls the library in a process that calls nothing of what is
// measured: its end is the only moment to say so.
#include "runtime/lifecycle.h"

namespace {

__attribute__((destructor)) void at_unload() {
  poprt::lifecycle::never_started();
}

}  // namespace
