// The last line of defence: nothing here throws, but the C++ library does where
// it is given what cannot be (a length below 0, a place that is not there).  In
// the program's process that would be the end of the program.
#ifndef POPRT_RUNTIME_GUARD_H_
#define POPRT_RUNTIME_GUARD_H_

namespace poprt {

// Runs work(data).  False: it was left by an exception, and what it had not
// done is not done; what it had taken is lost.  REQUIRES: it holds no lock.
bool completes(void (*work)(void*), void* data);

}  // namespace poprt

#endif  // POPRT_RUNTIME_GUARD_H_
