// History: one execution of a program, as a list of actions in an order in
// which they may have happened.
//
// The random programs write it, the execution graph and the replay read it;
// it is all that they have in common.  An action is an event of one thread at
// one time, in ns since measurement of its process began.  Whatever an action
// waits for comes before it in the list.
#ifndef POPRT_TESTS_ORACLE_HISTORY_H_
#define POPRT_TESTS_ORACLE_HISTORY_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt::oracle {

enum class Kind : uint8_t {
  kThreadBegin,  // flag: the first thread of the process, in task `object`
  kMpiBegin,     // flag: of MPI-IO
  kMpiEnd,       // flag: of a call that found nothing
  kSend,         // the thread's clocks leave as message `object`
  kReceive,      // `messages` are there
  kComplete,     // a receive is over, but the messages' clocks come late:
  kReceiveLate,  // here they are; `object`: the kComplete; flag: an event of
                 // the thread (else only a merge)
  kRegionOpen,   // region `object`
  kRegionClose,
  kRestart,        // what the regions have so far is dropped
  kParallelBegin,  // team `object`, in task `other`
  kImplicitBegin,  // task `other` of team `object`; flag: primary
  kImplicitEnd,    // likewise; without the flag it is a late report
  kParallelEnd,
  kBarrierBegin,  // implicit task `object` of team `other`; flag: join
  kBarrierEnd,
  kTaskCreate,     // task `object` of task `other`; flag: untied
  kTaskSwitch,     // from task `object` to task `other`; flag: `object` is over
  kTaskwaitBegin,  // task `object`
  kTaskwaitEnd,
  kGroupBegin,  // task `object`, group `other`
  kGroupWaitBegin,
  kGroupWaitEnd,
  kGroupEnd,
  kLockWait,      // lock `object`
  kLockAcquired,  // flag: it has waited
  kLockReleased,
  kOwnWork,  // the time since the thread's last event was the tool's
};
const char* name_of(Kind kind);
// Whether the calls of a lock come through entries of the library.
inline bool comes_through_entries(int lock) { return lock % 2 == 1; }
// Whether a thread may be in another OpenMP construct from then on.
inline bool changes_construct(Kind kind) {
  return kind >= Kind::kParallelBegin && kind <= Kind::kLockReleased &&
         kind != Kind::kImplicitEnd;
}

struct Action {
  Kind kind = Kind::kThreadBegin;
  int process = 0;
  int thread = 0;  // of the process; 0 is its primary thread
  int64_t ns = 0;
  int object = -1;
  int other = -1;
  bool flag = false;
  std::vector<int> messages;
};

struct ProcessInfo {
  int threads = 0;
  int64_t end_ns = 0;  // when the totals are taken
  std::string host;
};

struct History {
  std::vector<Action> actions;
  std::vector<ProcessInfo> processes;
  // How many of each there are; they are numbered over all processes.
  int messages = 0;
  int teams = 0;
  int tasks = 0;
  int groups = 0;
  int locks = 0;
  int regions = 0;
};

// Region 0 is Global.
std::string region_name(int region);

// Of each team, whether only the thread that forks it is in it.
std::vector<bool> teams_of_one(const History& history);

// The first `count` actions of the history.  REQUIRES: the actions of all
// processes are in the order of one common clock; `origin_ns` is the time of
// each process's zero on it.
History truncated(const History& history, size_t count,
                  const std::vector<int64_t>& origin_ns);

// One action per line, for people.
std::string to_text(const History& history);

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_HISTORY_H_
