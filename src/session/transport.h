// Combines the totals of all processes of a job.
#ifndef POPRT_SESSION_TRANSPORT_H_
#define POPRT_SESSION_TRANSPORT_H_

#include <cstdint>

#include "model/totals.h"

namespace poprt {

class Transport {
 public:
  // The rank of this process.
  virtual int64_t rank() const = 0;

  // Combines the totals of all processes in log(processes) steps.  Returns true
  // on the one process that gets the result; `totals` is undefined on the
  // others.
  virtual bool combine_all(JobTotals* totals) = 0;
  // Like combine_all(), with the result on all processes.
  virtual void combine_for_all(JobTotals* totals) = 0;
  // Returns when all processes have called it.  This is an event of the
  // program, which depends on all processes.
  virtual void synchronise() = 0;

 protected:
  ~Transport() = default;
};

}  // namespace poprt

#endif  // POPRT_SESSION_TRANSPORT_H_
