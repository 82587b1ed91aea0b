// Catches exceptions.  No code here throws, but the C++ library does on invalid
// arguments (a negative length, a position out of range), and an exception
// would end the user's program.
#ifndef POPRT_BASE_GUARD_H_
#define POPRT_BASE_GUARD_H_

namespace poprt {

// Runs work(data).  False: an exception has ended it.  What it had allocated is
// lost.  REQUIRES: it holds no lock.
bool completes(void (*work)(void*), void* data);

}  // namespace poprt

#endif  // POPRT_BASE_GUARD_H_
