// In the scope of a NoInterruption no signal handler of the program interrupts
// this thread or ends the process with half of what is being written, and
// pthread_cancel() does not end the thread there.  Signals of faults in this
// thread are not blocked.
#ifndef POPRT_BASE_NO_INTERRUPTION_H_
#define POPRT_BASE_NO_INTERRUPTION_H_

#include <pthread.h>

#include <csignal>

#include "base/no_cancellation.h"

namespace poprt {

class NoInterruption {
 public:
  NoInterruption() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int fault :
         {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) {
      sigdelset(&blocked, fault);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~NoInterruption() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoInterruption(const NoInterruption&) = delete;
  NoInterruption& operator=(const NoInterruption&) = delete;

 private:
  const NoCancellation whole_;
  sigset_t before_;
};

}  // namespace poprt

#endif  // POPRT_BASE_NO_INTERRUPTION_H_
