// The only file that is compiled with exceptions.  Exceptions of the C++
// library pass through all other code here as through C code.
#include "base/guard.h"

#include <cxxabi.h>

namespace poprt {

bool completes(void (*work)(void*), void* data) {
  try {
    work(data);
    return true;
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled, which must go on
  } catch (...) {
    return false;
  }
}

}  // namespace poprt
