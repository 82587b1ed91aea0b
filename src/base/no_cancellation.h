// In the scope of a NoCancellation pthread_cancel() does not end this thread.
// open(), read() and others are points where it would, but few of the functions
// that poprt stands in front of are, and none is where it has taken the
// program's lock.
#ifndef POPRT_BASE_NO_CANCELLATION_H_
#define POPRT_BASE_NO_CANCELLATION_H_

#include <pthread.h>

namespace poprt {

class NoCancellation {
 public:
  NoCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NoCancellation() { pthread_setcancelstate(before_, nullptr); }
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace poprt

#endif  // POPRT_BASE_NO_CANCELLATION_H_
