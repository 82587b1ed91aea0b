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
#include <poprt.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "openmp_interpreter.h"

namespace chaos {
namespace {

std::atomic<int> g_next_id{0};

}  // namespace

int new_id() { return ++g_next_id; }

void nap(int us) {
  const int64_t scaled = static_cast<int64_t>(us * g_sleep_scale);
  const timespec t = {scaled / 1'000'000, scaled % 1'000'000 * 1000};
  nanosleep(&t, nullptr);
  g_worked += us;
}

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace
}  // namespace chaos

using namespace chaos;

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
  init_locks();
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
