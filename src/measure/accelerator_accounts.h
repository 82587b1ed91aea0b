// The accounts of a thread for its time in the state accelerator.
#ifndef POPRT_MEASURE_ACCELERATOR_ACCOUNTS_H_
#define POPRT_MEASURE_ACCELERATOR_ACCOUNTS_H_

#include "measure/thread.h"
#include "model/quantities.h"

namespace poprt {

// An event that ends a stretch of waiting or copying in the state accelerator
// books it in the account that the thread has for it:
//   thread.switch_to(next, now_ns, accounts.waiting());
// What is booked in neither is launching.  Used by the thread only.
class AcceleratorAccounts {
 public:
  explicit AcceleratorAccounts(Thread& thread)
      : thread_(thread),
        waiting_{thread.keep_account(kAcceleratorWaiting),
                 thread.keep_account(kAcceleratorWaitingInside)},
        copying_{thread.keep_account(kAcceleratorCopying),
                 thread.keep_account(kAcceleratorCopyingInside)} {}

  // REQUIRES: since its last event the thread is as deep in parallel regions
  // as now.
  int waiting() const { return waiting_[thread_.in_parallel() ? 1 : 0]; }
  int copying() const { return copying_[thread_.in_parallel() ? 1 : 0]; }

 private:
  const Thread& thread_;
  const int waiting_[2];
  const int copying_[2];
};

}  // namespace poprt

#endif  // POPRT_MEASURE_ACCELERATOR_ACCOUNTS_H_
