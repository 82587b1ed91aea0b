// The only file that is compiled with exceptions: those of the C++ library pass
// through all other code here as if it were C.
#include "runtime/guard.h"

#include <cxxabi.h>

namespace poprt {

bool completes(void (*work)(void*), void* data) {
  try {
    work(data);
    return true;
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is cancelled, which may not be held up
  } catch (...) {
    return false;
  }
}

}  // namespace poprt
