// The machine that random programs run on: simulated processes, threads, teams,
// tasks and messages, and the record of what they do.
//
// simulation.cc has what all of it needs, simulation_mpi.cc and
// simulation_openmp.cc the two standards, random_program.cc the programs.
#ifndef POPRT_TESTS_ORACLE_SIMULATION_H_
#define POPRT_TESTS_ORACLE_SIMULATION_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "oracle/coroutine.h"
#include "oracle/history.h"
#include "oracle/random_program.h"

namespace poprt::oracle {

// splitmix64: gives the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // 0 to count - 1.
  int below(int count) {
    return static_cast<int>(next() % static_cast<uint64_t>(count));
  }
  bool percent(int chance) { return below(100) < chance; }

 private:
  uint64_t state_;
};

struct SimProcess;
struct SimTeam;

struct SimGroup {
  int id = 0;
  SimGroup* outer = nullptr;
  int unfinished = 0;
};

struct SimTask;

struct SimThread {
  // A completed receive whose clocks have not come yet.
  struct Pending {
    std::vector<int> messages;
    int complete = 0;  // the action
  };
  SimProcess* process = nullptr;
  int index = 0;
  bool begun = false;
  std::vector<Pending> pending;
  SimTask* unreported_end = nullptr;  // implicit task of a worker
};

struct SimTask {
  int id = 0;
  SimThread* thread = nullptr;  // that runs it now
  SimTask* parent = nullptr;
  SimTeam* team = nullptr;    // null outside parallel regions
  SimGroup* group = nullptr;  // innermost that is open
  bool implicit = false;
  bool untied = false;
  int depth = 0;       // of explicit tasks
  int generation = 0;  // the barrier of the team that comes next
  int children = 0;    // unfinished
  int index = 0;       // of an implicit task in its team

  // Explicit tasks: the execution, and who waits until it stops next.
  Co body;
  std::coroutine_handle<> resume;
  std::coroutine_handle<> runner;
  bool done = false;
};

enum class Traffic { kAny, kSends, kReceives, kOneThread };

struct SimTeam {
  int id = 0;
  int size = 1;
  int depth = 1;
  int phases = 1;
  Traffic traffic = Traffic::kAny;
  int mpi_thread = 0;  // runs the job's operations, if the team is outermost
  std::vector<int> reached;     // by generation: threads at the barrier
  std::vector<int> unfinished;  // by generation: tasks
  std::vector<SimTask*> queue;
  Condition changed;
};

// A collective or message that the whole job agrees on.
struct SimOperation {
  std::vector<int> message;             // by process, -1: contributes nothing
  std::vector<std::vector<int>> needs;  // by process: processes
  std::vector<bool> entered;
  std::vector<bool> takes_part;
  Condition changed;
};

struct SimProcess {
  int index = 0;
  int64_t origin_ns = 0;
  std::deque<SimThread> threads;
  std::vector<SimThread*> idle;
  std::vector<int> open;                         // by region: depth
  std::vector<std::pair<int, int64_t>> mailbox;  // message, arrival
  std::vector<SimOperation*> operations;
  size_t next_operation = 0;
  bool mpi_started = false;
  int parallel = 0;  // depth of the primary thread's parallel regions
  // Its threads do, since one of them called MPI in a parallel region.
  bool keeps_com = false;
  std::vector<bool> lock_held;
  std::vector<Condition> lock_released;
};

class Simulation {
 public:
  explicit Simulation(const ProgramOptions& options);
  RandomProgram run();

 private:
  // simulation.cc
  int record(SimThread& thread, Kind kind, int object = -1, int other = -1,
             bool flag = false, std::vector<int> messages = {});
  void merge_pending(SimThread& thread, bool as_event);
  void merge_all_pending(SimProcess& process);
  int64_t duration();
  Scheduler::Delay delay() { return scheduler_.delay(duration()); }
  SimTask& new_task(SimThread& thread);

  // simulation_mpi.cc
  void plan_operations();
  bool may_send(const SimTask& task) const;
  bool may_receive(const SimTask& task) const;
  Co enter_mpi(SimThread& thread);
  void receive(SimTask& task, const std::vector<int>& messages);
  Co send_message(SimTask& task);
  Co receive_message(SimTask& task);
  Co begin_operation(SimTask& task, SimOperation& operation, bool blocking);
  Co finish_operation(SimTask& task, SimOperation& operation, bool blocking);

  // simulation_openmp.cc
  Co parallel(SimTask& encountering);
  Co work(SimTeam& team, SimThread& thread, int index);
  SimThread* take_worker(SimProcess& process);
  Co barrier(SimTask& task);
  void reach_barrier(SimTask& task, bool join);
  Co wait_for_team(SimTask& task);
  Co create_task(SimTask& parent);
  Co run_task(SimTask& prior, SimTask& next);
  void finish_task(SimTask& task);
  SimTask* pick_task(SimTask& waiting);
  Co taskwait(SimTask& task);
  Co taskgroup(SimTask& task);
  Co locked(SimTask& task);

  // random_program.cc
  Co process_main(SimProcess& process);
  Co team_main(SimTask& task);
  Co task_main(SimTask& task);
  Co statements(SimTask& task, int most);
  Co statement(SimTask& task);
  Co next_operation(SimTask& task);
  bool uses_region(const SimProcess& process, int region) const;
  void open_region(SimTask& task, int region);
  void change_region(SimTask& task);

  bool spent() const {
    return static_cast<int>(history_.actions.size()) > options_.actions;
  }
  void spawn(Co co);

  const ProgramOptions options_;
  Random random_;
  Scheduler scheduler_;
  History history_;
  std::deque<SimProcess> processes_;
  std::deque<SimTask> tasks_;
  std::deque<SimTeam> teams_;
  std::deque<SimGroup> groups_;
  std::deque<SimOperation> operations_;
  std::deque<Co> spawned_;
  std::vector<std::vector<bool>> region_used_;  // by process and region
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_SIMULATION_H_
