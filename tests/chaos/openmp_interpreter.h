// What all parts of the OpenMP interpreter share: the trace, and the script.
#ifndef POPRT_TESTS_CHAOS_OPENMP_INTERPRETER_H_
#define POPRT_TESTS_CHAOS_OPENMP_INTERPRETER_H_

#include <omp.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace chaos {

inline int64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

enum State : char { kUseful = 'U', kOmp = 'O', kMpi = 'M' };

// What a thread does, as openmp_replay.py has it: letters with up to five
// numbers.
struct Record {
  int64_t time;
  State ended;
  char what;
  int numbers[5];
  int line;
};

struct ThreadTrace {
  State state = kOmp;  // a core that has no thread yet is idle
  std::vector<Record> records;
};

inline int32_t g_nowhere = 0;
inline volatile int32_t* g_at = &g_nowhere;
inline double g_sleep_scale = 1;
inline int g_rank = 0;
inline std::atomic<int64_t> g_worked{0};

// Not inlined: an untied task may change its thread, but a compiler may keep
// the address of a thread-local variable.
[[gnu::noinline]] ThreadTrace& this_thread();
// The thread changes to state `next`; returns the state that ends.
[[gnu::noinline]] State turn(State next, char what = '.', int a = 0, int b = 0,
                             int c = 0, int d = 0, int e = 0, int line = 0);
void write_trace(const std::string& path);
// Where `g_at` is from now on.
void map_position(const std::string& path);

struct Op {
  std::string name;
  int line = 0;
  std::vector<int> args;
  std::string region;
  std::vector<Op> body;
};

// The task that a thread is in.
struct Place {
  int task = 0;
  int team = 0;
  int barriers = 0;  // barriers that its part of the team has left
  int group = 0;
  int index = 0;  // of the thread in its team, or of the iteration
  int loops = 0;
};

int new_id();
// Sleeps, and counts it as work.
void nap(int us);

void execute(const Op& op, Place& place);
void execute(const std::vector<Op>& block, Place& place);

// Teams and what they share.
void parallel(const Op& op, Place& place);
void reach_barrier(const Place& place);
void leave_barrier(Place& place);
void single(const Op& op, Place& place);
void loop(const Op& op, Place& place);
void ordered_loop(const Op& op, Place& place);
void doacross_loop(const Op& op, Place& place);
void init_locks();
void lock(const Op& op, Place& place);
void try_lock(const Op& op, Place& place);

void task(const Op& op, const Place& parent);
void untied_task(const Op& op, const Place& parent);
void detached_task(const Op& op, const Place& parent);
void taskwait(const Op& op, const Place& place);
void taskgroup(const Op& op, Place& place);
void taskyield();

}  // namespace chaos

#endif  // POPRT_TESTS_CHAOS_OPENMP_INTERPRETER_H_
