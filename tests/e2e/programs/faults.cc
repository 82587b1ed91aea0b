// faults KIND: ranks compute 20 ms and exchange a message, 25 times; then rank
// 1 ends in an unusual way, and the others go on until they are ended.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace {

constexpr int kRounds = 25;

void work() {
  const timespec pause = {0, 20 * 1000 * 1000};
  nanosleep(&pause, nullptr);
}

void end_by(const std::string& kind) {
  if (kind == "mpi_abort") MPI_Abort(MPI_COMM_WORLD, 3);
  if (kind == "exit") exit(3);
  if (kind == "_exit") _exit(3);
  if (kind == "abort") abort();
  if (kind == "exception") throw std::runtime_error("nobody catches it");
  if (kind == "sigterm" || kind == "handler") raise(SIGTERM);
  if (kind == "sigint") raise(SIGINT);
  if (kind == "sigsegv") raise(SIGSEGV);
  if (kind == "sigkill") raise(SIGKILL);
}

extern "C" void say_and_end(int) {
  static const char text[] = "own handler\n";
  (void)!write(STDOUT_FILENO, text, sizeof text - 1);
  _exit(4);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string kind = argv[1];
  // The program's own handlers are as they were.
  if (kind == "handler") signal(SIGTERM, say_and_end);
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool ends = kind == "finalize" || kind == "finalize_early";
  const int last = ends ? kRounds : 50 * kRounds;
  int value = rank;
  for (int i = 0; i < last; ++i) {
    if (i == kRounds && rank == 1) {
      if (kind == "return") return 3;
      end_by(kind);
    }
    work();
    MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 1,
                         (rank + size - 1) % size, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  }
  if (kind == "finalize_early" && rank == 0) {
    // The other one waits in MPI_Finalize.
    for (int i = 0; i < 10; ++i) work();
    raise(SIGKILL);
  }
  printf("rank %d: %d\n", rank, value >= 0);
  MPI_Finalize();
  return 0;
}
