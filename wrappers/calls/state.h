// What calls keep of each thread.
#ifndef POPRT_WRAPPERS_CALLS_STATE_H_
#define POPRT_WRAPPERS_CALLS_STATE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/own_frames.h"
#include "measure/events.h"
#include "wrappers/pmpi.h"

namespace poprt::mpi {

struct CallsOfThread {
  State before = State::kUseful;  // the state to return to after the call
  uintptr_t frame = 0;            // stack frame of the call

  // Only where calls are told apart (sited_call.h).
  std::vector<MPI_Status> statuses;
  std::unique_ptr<OwnFrames> own_frames;  // null: no library passes calls on
  std::vector<bool> expected_receives;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_STATE_H_
