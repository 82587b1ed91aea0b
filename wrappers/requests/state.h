// What requests keep of each communicator and thread; of the job: `Requests`.
#ifndef POPRT_WRAPPERS_REQUESTS_STATE_H_
#define POPRT_WRAPPERS_REQUESTS_STATE_H_

#include <vector>

#include "wrappers/pmpi.h"
#include "wrappers/requests/tracked.h"

namespace poprt::mpi {

// The receives that are posted on a communicator (posted_receives.h).
struct PostedReceives {
  Receive* oldest = nullptr;
  Receive* newest = nullptr;
};

struct RequestsOfThread {
  RequestPools::Local free;
  // Memory for calls that complete requests.
  std::vector<MPI_Request> handles;  // with MPI_THREAD_MULTIPLE: claims
  Claims claims;
  std::vector<MPI_Status> statuses;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_REQUESTS_STATE_H_
