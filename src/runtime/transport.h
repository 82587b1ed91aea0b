// How the totals of the processes of a job become one.
#ifndef POPRT_RUNTIME_TRANSPORT_H_
#define POPRT_RUNTIME_TRANSPORT_H_

#include <cstdint>

#include "model/totals.h"

namespace poprt {

class Transport {
 public:
  // Of this process in the job, from 0.
  virtual int64_t rank() const = 0;

  // Combines the totals of all processes, in log(processes) steps.  True on
  // the one process that then has the job's; `totals` is undefined elsewhere.
  virtual bool combine_all(JobTotals* totals) = 0;
  // The same, and all processes have the job's then.
  virtual void combine_for_all(JobTotals* totals) = 0;
  // Returns when all processes have called it: an event of the program, which
  // depends on all.
  virtual void synchronise() = 0;

 protected:
  ~Transport() = default;
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_TRANSPORT_H_
