// Executes the OpenMP program that a script (openmp_generator.py) has for its
// rank, and writes down what happened: on each thread when one state ended and
// the next began, and which fork, task, barrier, lock or message that was.
// With -DWITH_MPI the primary thread, or one at a time, also calls MPI.
//
// Prints the amount of work done, which does not depend on who did it.
//
// usage: openmp_interpreter SCRIPT TRACE|- SLEEP_PERCENT
//   TRACE.<rank> becomes the trace, TRACE.<rank>.at says which line of the
//   script was begun last, also when the program hangs.
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <poprt.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

int64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * int64_t{1'000'000'000} + t.tv_nsec;
}

// ---- the trace --------------------------------------------------------------

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

std::mutex g_threads_mutex;
std::vector<std::unique_ptr<ThreadTrace>> g_threads;
int32_t g_nowhere = 0;
volatile int32_t* g_at = &g_nowhere;
double g_sleep_scale = 1;
int g_rank = 0;
std::atomic<int64_t> g_worked{0};

ThreadTrace* new_thread() {
  const std::lock_guard<std::mutex> guard(g_threads_mutex);
  g_threads.push_back(std::make_unique<ThreadTrace>());
  g_threads.back()->records.reserve(1 << 14);
  return g_threads.back().get();
}

// Not inlined: an untied task may change its thread, but a compiler may keep
// the address of a thread-local variable.
[[gnu::noinline]] ThreadTrace& this_thread() {
  thread_local ThreadTrace* const trace = new_thread();
  return *trace;
}

// The thread changes to state `next`; returns the state that ends.
[[gnu::noinline]] State turn(State next, char what = '.', int a = 0, int b = 0,
                             int c = 0, int d = 0, int e = 0, int line = 0) {
  ThreadTrace& thread = this_thread();
  const State ended = thread.state;
  thread.records.push_back({now(), ended, what, {a, b, c, d, e}, line});
  thread.state = next;
  return ended;
}

void write_trace(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) std::abort();
  for (size_t t = 0; t < g_threads.size(); ++t) {
    for (const Record& r : g_threads[t]->records) {
      std::fprintf(file, "%zu %lld %c %c %d %d %d %d %d %d\n", t,
                   static_cast<long long>(r.time), r.ended, r.what,
                   r.numbers[0], r.numbers[1], r.numbers[2], r.numbers[3],
                   r.numbers[4], r.line);
    }
  }
#ifndef WITH_MPI
  // The library measures until now, so the writing of the trace belongs to it.
  turn(kUseful, '$');
  std::fprintf(file, "0 %lld U $ 0 0 0 0 0 0\n",
               static_cast<long long>(g_threads[0]->records.back().time));
#endif
  std::fclose(file);
}

// ---- the program ------------------------------------------------------------

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

std::atomic<int> g_next_id{0};
int new_id() { return ++g_next_id; }

void execute(const Op& op, Place& place);
void execute(const std::vector<Op>& block, Place& place);

void nap(int us) {
  const int64_t scaled = static_cast<int64_t>(us * g_sleep_scale);
  const timespec t = {scaled / 1'000'000, scaled % 1'000'000 * 1000};
  nanosleep(&t, nullptr);
  g_worked += us;
}

void parallel(const Op& op, Place&) {
  const int team = new_id();
  turn(kOmp, 'F', team);
#pragma omp parallel num_threads(op.args[0])
  {
    Place place;
    place.task = new_id();
    place.team = team;
    place.index = omp_get_thread_num();
    turn(kUseful, 'I', team);
    execute(op.body, place);
    turn(kOmp, 'B', team, place.barriers);
  }
  turn(kUseful, 'P', team);
}

void reach_barrier(const Place& place) {
  turn(kOmp, 'B', place.team, place.barriers);
}
void leave_barrier(Place& place) {
  turn(kUseful, 'b', place.team, place.barriers++);
}

// The body is the same whichever thread executes it.
void execute_once(const Op& op, Place place) {
  place.index = 0;
  execute(op.body, place);
}

void single(const Op& op, Place& place) {
  if (op.args[0] != 0) {
#pragma omp single nowait
    execute_once(op, place);
    return;
  }
  reach_barrier(place);
#pragma omp single
  {
    turn(kUseful);
    execute_once(op, place);
    reach_barrier(place);
  }
  leave_barrier(place);
}

void iteration(const Op& op, const Place& outer, int index) {
  turn(kUseful);
  Place place = outer;
  place.index = index;
  execute(op.body, place);
  reach_barrier(place);
}

void loop(const Op& op, Place& place) {
  const int count = op.args[0], chunk = op.args[1];
  reach_barrier(place);
  if (op.args[2] != 0) {
#pragma omp for schedule(dynamic, chunk) nowait
    for (int i = 0; i < count; ++i) iteration(op, place, i);
    turn(kUseful);
    return;
  }
#pragma omp for schedule(dynamic, chunk)
  for (int i = 0; i < count; ++i) iteration(op, place, i);
  leave_barrier(place);
}

// The order of the iterations is modelled as a lock of the loop.
void ordered_loop(const Op& op, Place& place) {
  const int key = ++place.loops;
  reach_barrier(place);
#pragma omp for schedule(dynamic, 1) ordered
  for (int i = 0; i < op.args[0]; ++i) {
    turn(kUseful);
    nap(op.args[1]);
    turn(kOmp);
#pragma omp ordered
    {
      turn(kUseful, 'a', place.team, key, i);
      nap(op.args[2]);
      turn(kUseful, 'r', place.team, key, i);
    }
    reach_barrier(place);
  }
  leave_barrier(place);
}

void doacross_loop(const Op& op, Place& place) {
  const int key = ++place.loops;
  reach_barrier(place);
#pragma omp for schedule(dynamic, 1) ordered(1)
  for (int i = 0; i < op.args[0]; ++i) {
    turn(kUseful);
    nap(op.args[1]);
    turn(kOmp);
#pragma omp ordered depend(sink : i - 1)
    turn(kUseful, 'a', place.team, key, i);
    nap(op.args[2]);
    turn(kUseful, 'r', place.team, key, i);
#pragma omp ordered depend(source)
    nap(op.args[3]);
    reach_barrier(place);
  }
  leave_barrier(place);
}

// ---- locks ------------------------------------------------------------------

constexpr int kLocks = 6;  // 0 and 1 are critical, 4 is a nest lock
omp_lock_t g_locks[kLocks];
omp_nest_lock_t g_nest_lock;
int g_acquisitions[kLocks];

void hold(const Op& op, Place& place) {
  const int lock = op.args[0];
  const int order = ++g_acquisitions[lock];
  turn(kUseful, 'a', 0, lock, order);
  execute(op.body, place);
  turn(kUseful, 'r', 0, lock, order);
}

void lock(const Op& op, Place& place) {
  const int which = op.args[0];
  turn(kOmp);
  if (which == 0) {
#pragma omp critical(first)
    hold(op, place);
  } else if (which == 1) {
#pragma omp critical(second)
    hold(op, place);
  } else if (which == 4) {
    omp_set_nest_lock(&g_nest_lock);
    omp_set_nest_lock(&g_nest_lock);
    hold(op, place);
    omp_unset_nest_lock(&g_nest_lock);
    omp_unset_nest_lock(&g_nest_lock);
  } else {
    omp_set_lock(&g_locks[which]);
    hold(op, place);
    omp_unset_lock(&g_locks[which]);
  }
}

void try_lock(const Op& op, Place& place) {
  const int which = op.args[0];
  const int64_t worked = op.args[1];  // in the body, by whoever gets there
  if (which == 4) {
    if (omp_test_nest_lock(&g_nest_lock) == 0) {
      g_worked += worked;
      return;
    }
    hold(op, place);
    omp_unset_nest_lock(&g_nest_lock);
  } else {
    if (omp_test_lock(&g_locks[which]) == 0) {
      g_worked += worked;
      return;
    }
    hold(op, place);
    omp_unset_lock(&g_locks[which]);
  }
}

// ---- tasks ------------------------------------------------------------------

// Two numbers for each dependence: its type, and which cell.
struct Dependences {
  Dependences(const std::vector<int>& args, size_t first) {
    for (size_t i = first; i < args.size(); i += 2) {
      of[args[i]].push_back(&cells[args[i + 1]]);
    }
  }
  int count(int type) const { return static_cast<int>(of[type].size()); }
  static char cells[8];
  std::vector<char*> of[4];  // in, inout, mutexinoutset, inoutset
};
char Dependences::cells[8];

#define DEPENDENCES(d)                                                       \
  depend(iterator(i = 0                                                      \
                  : d.count(0)),                                             \
         in                                                                  \
         : *d.of[0][i]) depend(iterator(i = 0                                \
                                        : d.count(1)),                       \
                               inout                                         \
                               : *d.of[1][i]) depend(iterator(i = 0          \
                                                              : d.count(2)), \
                                                     mutexinoutset           \
                                                     : *d.of[2][i])          \
      depend(iterator(i = 0                                                  \
                      : d.count(3)),                                         \
             inoutset                                                        \
             : *d.of[3][i])

Place new_task(const Op& op, const Place& parent) {
  Place place = parent;
  place.task = new_id();
  turn(kOmp, 'C', place.task, parent.task, place.team, place.barriers,
       place.group, op.line);
  return place;
}

void run_task(const Op& op, Place place) {
  const State before = turn(kUseful, 'S', place.task);
  execute(op.body, place);
  turn(before, 'E', place.task);
}

void task(const Op& op, const Place& parent) {
  enum { kTied, kUndeferred, kFinal };
  const int kind = op.args[0];
  const Op* const what = &op;
  const Place place = new_task(op, parent);
  if (op.args.size() > 1) {
    const Dependences d(op.args, 1);
#define TASK task if (kind != kUndeferred) final(kind == kFinal)
#pragma omp TASK firstprivate(what, place) DEPENDENCES(d)
    run_task(*what, place);
  } else {
#pragma omp TASK firstprivate(what, place)
    run_task(*what, place);
  }
  turn(kUseful);
}

// A task that is suspended after each of its operations. Its state is not in
// local variables, because another thread may resume it.
struct Untied {
  const Op& op;
  Place place;
  size_t done = 0;
  State before = kOmp;
};

// Clang's untied tasks have an empty first part, which only queues the second
// part. A thread that executes the first part has begun the task, and another
// thread may continue it. Only the call that queues the second part shows this.
thread_local int g_queueing = 0;  // the untied task to be created
std::mutex g_unbegun_mutex;
std::map<const void*, int> g_unbegun;  // by the runtime's pointer

void untied_task(const Op& op, const Place& parent) {
  Untied* const task = new Untied{op, new_task(op, parent)};
  g_queueing = task->place.task;
#pragma omp task untied firstprivate(task)
  {
    task->before = turn(kUseful, 'S', task->place.task);
    while (task->done < task->op.body.size()) {
      execute(task->op.body[task->done++], task->place);
      turn(task->before, 'Y', task->place.task);
      // An untied task may change its thread when it creates a task. In a
      // taskyield it could do so, too, but would first wait for the tasks that
      // it executes there.
#pragma omp task
      {}
      task->before = turn(kUseful, 'Z', task->place.task);
    }
    turn(task->before, 'E', task->place.task);
    delete task;
  }
  turn(kUseful);
}

void note_queued(const void* task) {
  const std::lock_guard<std::mutex> guard(g_unbegun_mutex);
  if (g_queueing != 0) {
    g_unbegun[task] = std::exchange(g_queueing, 0);
  } else if (const auto found = g_unbegun.find(task);
             found != g_unbegun.end()) {
    turn(this_thread().state, 'Q', found->second);
    g_unbegun.erase(found);
  }
}

void fulfil(omp_event_handle_t event, int task) {
  turn(kUseful, 'X', task);
  omp_fulfill_event(event);
}

void detached_task(const Op& op, const Place& parent) {
  enum { kByCreator, kByTask, kByItself };
  const int by = op.args[0], us = op.args[1];
  const Op* const what = &op;
  const Place place = new_task(op, parent);
  const int id = place.task;
  omp_event_handle_t event{};
#pragma omp task firstprivate(what, place, by) detach(event)
  {
    if (by == kByItself) {
      const State before = turn(kUseful, 'S', place.task);
      fulfil(event, place.task);
      Place inner = place;
      execute(what->body, inner);
      turn(before, 'E', place.task);
    } else {
      run_task(*what, place);
    }
  }
  turn(kUseful);
  if (by == kByCreator) {
    nap(us);
    fulfil(event, id);
  } else if (by == kByTask) {
    const Place helper = new_task(op, parent);
#pragma omp task firstprivate(event, helper, us, id)
    {
      const State before = turn(kUseful, 'S', helper.task);
      nap(us);
      fulfil(event, id);
      turn(before, 'E', helper.task);
    }
    turn(kUseful);
  }
}

void taskwait(const Op& op, const Place& place) {
  turn(kOmp);
  if (op.args.empty()) {
#pragma omp taskwait
    turn(kUseful, 'w', place.task);
  } else {
    const Dependences d(op.args, 0);
    // A taskwait has no mutexinoutset.
#pragma omp taskwait depend(iterator(i = 0                                \
                                     : d.count(0)),                       \
                            in                                            \
                            : *d.of[0][i]) depend(iterator(i = 0          \
                                                           : d.count(1)), \
                                                  inout                   \
                                                  : *d.of[1][i])
    turn(kUseful, 'v', place.task, 0, 0, 0, 0, op.line);
  }
}

void taskgroup(const Op& op, Place& place) {
  const int outer = place.group;
  const int group = place.group = new_id();
  turn(kUseful, 'N', group, outer);
#pragma omp taskgroup
  {
    execute(op.body, place);
    turn(kOmp);
  }
  turn(kUseful, 'g', group);
  place.group = outer;
}

void taskyield() {
  turn(kOmp);
#pragma omp taskyield
  turn(kUseful);
}

// ---- MPI --------------------------------------------------------------------

void mpi([[maybe_unused]] const Op& op) {
#ifdef WITH_MPI
  enum { kBarrier, kAllreduce, kBcast, kRing };
  const int instance = op.args[1], root = op.args[2];
  int ranks = 1, in = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int out = g_rank == root ? instance : 0;
  turn(kMpi, 'e', instance);
  switch (op.args[0]) {
    case kBarrier:
      MPI_Barrier(MPI_COMM_WORLD);
      in = instance;
      break;
    case kAllreduce:
      MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      break;
    case kBcast:
      MPI_Bcast(&out, 1, MPI_INT, root, MPI_COMM_WORLD);
      in = out;
      break;
    case kRing:
      out = instance;
      MPI_Sendrecv(&out, 1, MPI_INT, (g_rank + 1) % ranks, 0, &in, 1, MPI_INT,
                   (g_rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      break;
  }
  turn(kUseful, 'm', instance, 0, 0, 0, 0, op.line);
  if (in != instance) std::abort();
#endif
}

// ---- the whole --------------------------------------------------------------

void execute(const Op& op, Place& place) {
  *g_at = op.line;
  const std::string& name = op.name;
  if (name == "work") {
    nap(op.args[static_cast<size_t>(place.index) % op.args.size()]);
  } else if (name == "parallel") {
    parallel(op, place);
  } else if (name == "only") {
    if (place.index == op.args[0]) execute(op.body, place);
  } else if (name == "barrier") {
    reach_barrier(place);
#pragma omp barrier
    leave_barrier(place);
  } else if (name == "single") {
    single(op, place);
  } else if (name == "master") {
#pragma omp master
    execute(op.body, place);
  } else if (name == "loop") {
    loop(op, place);
  } else if (name == "ordered") {
    ordered_loop(op, place);
  } else if (name == "doacross") {
    doacross_loop(op, place);
  } else if (name == "lock") {
    lock(op, place);
  } else if (name == "try") {
    try_lock(op, place);
  } else if (name == "task") {
    task(op, place);
  } else if (name == "untied") {
    untied_task(op, place);
  } else if (name == "detached") {
    detached_task(op, place);
  } else if (name == "taskwait") {
    taskwait(op, place);
  } else if (name == "group") {
    taskgroup(op, place);
  } else if (name == "yield") {
    taskyield();
  } else if (name == "mpi") {
    mpi(op);
  } else if (name == "open") {
    pop_region_start(op.region.c_str());
    turn(kUseful, 'o', 0, 0, 0, 0, 0, op.line);
  } else if (name == "close") {
    pop_region_stop(op.region.c_str());
    turn(kUseful, 'x', 0, 0, 0, 0, 0, op.line);
  } else {
    std::fprintf(stderr, "line %d: what is %s?\n", op.line, name.c_str());
    std::abort();
  }
}

void execute(const std::vector<Op>& block, Place& place) {
  for (const Op& op : block) execute(op, place);
}

// The lines until the block's end; each operation that ends in { has a block.
std::vector<Op> read_block(std::istream& file, int* number) {
  std::vector<Op> block;
  std::string text;
  while (std::getline(file, text)) {
    ++*number;
    std::istringstream words(text);
    Op op;
    op.line = *number;
    if (!(words >> op.name)) continue;
    if (op.name == "}") break;
    if (op.name == "open" || op.name == "close") {
      words >> op.region;
    } else {
      for (int word; words >> word;) op.args.push_back(word);
    }
    if (text.back() == '{') op.body = read_block(file, number);
    block.push_back(op);
  }
  return block;
}

// `rank <rank> {` has the operations of one.
std::vector<Op> read_script(const char* path) {
  std::ifstream file(path);
  int number = 0;
  for (const Op& op : read_block(file, &number)) {
    if (op.args.at(0) == g_rank) return op.body;
  }
  return {};
}

void map_position(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ftruncate(file, sizeof(int32_t)) != 0) return;
  void* const memory = mmap(nullptr, sizeof(int32_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) g_at = static_cast<int32_t*>(memory);
}

}  // namespace

extern "C" int __kmpc_omp_task(void* where, int thread, void* task);
extern "C" int __kmpc_omp_task(void* where, int thread, void* task) {
  static const auto real = reinterpret_cast<int (*)(void*, int, void*)>(
      dlsym(RTLD_NEXT, "__kmpc_omp_task"));
  note_queued(task);
  return real(where, thread, task);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
#ifdef WITH_MPI
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) return 2;
#else
  omp_set_max_active_levels(3);  // starts OpenMP, and with it the measurement
#endif
  turn(kUseful, '^');
  this_thread().state = kUseful;
#ifdef WITH_MPI
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  omp_set_max_active_levels(3);
#endif
  const std::string trace = argv[2];
  const std::string path = trace + "." + std::to_string(g_rank);
  g_sleep_scale = std::atof(argv[3]) / 100;
  if (trace != "-") map_position(path + ".at");
  for (omp_lock_t& lock : g_locks) omp_init_lock(&lock);
  omp_init_nest_lock(&g_nest_lock);
  const std::vector<Op> program = read_script(argv[1]);
  Place place;
  execute(program, place);
#ifdef WITH_MPI
  turn(kUseful, '$');
  MPI_Finalize();
#endif
  std::printf("rank %d: %lld\n", g_rank, static_cast<long long>(g_worked));
  if (trace != "-") write_trace(path);
  return 0;
}
