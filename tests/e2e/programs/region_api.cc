// Every function of poprt.h, in shapes of known length. Prints a line of JSON
// for each rank: what pop_region_metrics() and pop_region_metrics_job() said.
#include <mpi.h>
#include <poprt.h>
#include <sys/prctl.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

long unit_us = 50000;

void work(double units) {
  const long ns = static_cast<long>(units * 1e3 * static_cast<double>(unit_us));
  const timespec time = {ns / 1000000000, ns % 1000000000};
  nanosleep(&time, nullptr);
}

void solve(int rank) {
  POP_REGION_FUNCTION();
  work(rank == 0 ? 2 : 4);
  MPI_Barrier(MPI_COMM_WORLD);
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return value == value ? text : "null";
}

std::string to_json(int found, const pop_region_metrics_t& m) {
  if (found == 0) return "null";
  const auto count = [](int64_t value) { return std::to_string(value); };
  return "{\"processes\": " + count(m.processes) +
         ", \"threads\": " + count(m.threads) +
         ", \"visits\": " + count(m.visits) +
         ", \"all_ns\": " + count(m.run_time_ns) +
         ", \"elapsed_max_ns\": " + count(m.elapsed_ns) +
         ", \"useful_sum_ns\": " + count(m.useful_ns) +
         ", \"mpi_sum_ns\": " + count(m.mpi_ns) +
         ", \"omp_sum_ns\": " + count(m.openmp_ns) +
         ", \"parallel_efficiency\": " + number(m.parallel_efficiency) +
         ", \"load_balance\": " + number(m.load_balance) +
         ", \"communication_efficiency\": " +
         number(m.communication_efficiency) +
         ", \"serialisation_efficiency\": " +
         number(m.serialisation_efficiency) +
         ", \"transfer_efficiency\": " + number(m.transfer_efficiency) +
         ", \"mpi_load_balance\": " + number(m.mpi_load_balance) +
         ", \"openmp_load_balance\": " + number(m.openmp_load_balance) + "}";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) unit_us = std::atol(argv[1]);
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  const pop_region_t hot = pop_region_find("hot");
  pop_metadata("mesh", "512");
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  for (int i = 0; i < 10; ++i) {
    pop_region_enter(hot);
    work(0.5);
    pop_region_leave(hot);
  }
  if (rank == 0) {
    POP_REGION_SCOPE("scope");
    work(1);
  }
  solve(rank);

  pop_region_metrics_t m = {};
  std::string line = "{\"rank\": " + std::to_string(rank);
  int found = pop_region_metrics("solve", &m);
  line += ", \"process\": " + to_json(found, m);
  found = pop_region_metrics_job("solve", &m);
  line += ", \"job\": " + to_json(found, m);
  found = pop_region_metrics_job("nobody", &m);
  line += ", \"nobody\": " + to_json(found, m);

  // A collective, on which the paths cross.
  pop_region_start("collective");
  if (rank == 0) work(2);
  found = pop_region_metrics_job("scope", &m);
  line += ", \"scope\": " + to_json(found, m);
  if (rank != 0) work(2);
  MPI_Barrier(MPI_COMM_WORLD);
  pop_region_stop("collective");

  pop_metadata("rank", ("first " + std::to_string(rank)).c_str());
  if (rank == 1) pop_metadata("of rank 1", "x");
  line += ", \"version\": \"" + std::string(pop_version()) + "\"}\n";
  // Launchers mix long lines.
  line.resize(4096, '\0');
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<char> lines(line.size() * static_cast<size_t>(size));
  MPI_Gather(line.data(), 4096, MPI_CHAR, lines.data(), 4096, MPI_CHAR, 0,
             MPI_COMM_WORLD);
  for (int i = 0; i < size && rank == 0; ++i) {
    std::fputs(&lines[line.size() * static_cast<size_t>(i)], stdout);
  }
  std::fflush(stdout);
  MPI_Finalize();
  found = pop_region_metrics_job("solve", &m) + pop_region_metrics("solve", &m);
  return found;
}
