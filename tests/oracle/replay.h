// Replay: performs the actions of a history on the runtime layer, through the
// same calls that the MPI and OpenMP layers make.
#ifndef POPRT_TESTS_ORACLE_REPLAY_H_
#define POPRT_TESTS_ORACLE_REPLAY_H_

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "clocks/clock_message.h"
#include "measure/mpi_waits.h"
#include "measure/process.h"
#include "measure/thread.h"
#include "model/totals.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"
#include "oracle/history.h"

namespace poprt::oracle {

class Replay {
 public:
  // Where OpenMP constructs are told apart, what a thread is in behind an
  // action is a construct of its own.
  static constexpr uint64_t kConstructs = 0x0C05'F8AB'1D72'0000;

  // `path`: as with POPRT_PATH; `windows`: as with POPRT_WINDOWS.
  explicit Replay(const History& history, PathChoice path = {},
                  const WindowSpec& windows = {});
  ~Replay();

  // Performs all actions on the calling thread.
  void run();

  // Performs the actions of each thread of each process on a thread of its own.
  // An action waits only for those that its edges in `waits_for` (by action)
  // name.
  void run_threaded(const std::vector<std::vector<int>>& waits_for);

  // The totals of all processes, combined.
  JobTotals totals() const;

  Process& process(int index) { return processes_[static_cast<size_t>(index)]; }
  // Null before its kThreadBegin.
  const Thread* thread(int process, int thread) const {
    return threads_[static_cast<size_t>(process)][static_cast<size_t>(thread)]
        .thread;
  }

 private:
  struct ThreadSlot {
    Thread* thread = nullptr;
    State before_mpi = State::kUseful;
    std::optional<MpiWaits> waits;
    LockWait lock_wait;
  };

  void perform(int index);
  void perform_openmp(const Action& action, ThreadSlot& slot);
  void perform_lock(const Action& a, ThreadSlot& slot);
  void receive(int index, const Action& action, ThreadSlot& slot);
  void receive_late(const Action& action, ThreadSlot& slot);
  Task*& task(int index) { return tasks_[static_cast<size_t>(index)]; }

  const History& history_;
  std::deque<Process> processes_;
  std::vector<std::vector<ThreadSlot>> threads_;
  std::vector<ClockMessage> messages_;
  std::vector<Moment> moments_;       // by action
  std::vector<LateWait> late_waits_;  // likewise
  std::vector<Team*> teams_;
  const std::vector<bool> teams_of_one_;
  std::vector<Task*> tasks_;
  std::deque<Lock> locks_;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_REPLAY_H_
