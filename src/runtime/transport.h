// How the totals of the processes of a job become one.
#ifndef POPRT_RUNTIME_TRANSPORT_H_
#define POPRT_RUNTIME_TRANSPORT_H_

#include "model/totals.h"

namespace poprt {

class Transport {
 public:
  // Combines the totals of all processes, in log(processes) steps.  True on
  // the one process that then has the job's; `totals` is undefined elsewhere.
  virtual bool combine_all(JobTotals* totals) = 0;

 protected:
  ~Transport() = default;
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_TRANSPORT_H_
