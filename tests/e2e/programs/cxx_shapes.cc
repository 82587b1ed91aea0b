// A C++ program under the library: exceptions, streams, static constructors
// and destructors, threads of its own, thread-local objects; MPI + OpenMP.
#include <mpi.h>
#include <omp.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "shapes.h"

namespace {

struct Farewell {
  explicit Farewell(std::string text) : text(std::move(text)) {}
  ~Farewell() { std::cout << text + "\n" << std::flush; }
  std::string text;
};

Farewell farewell("static destructor");
thread_local std::vector<int> scratch(16, 1);

class Region {
 public:
  explicit Region(const char* name) : name_(name) { pop_region_start(name); }
  ~Region() { pop_region_stop(name_); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  const char* const name_;
};

int fails(int value) {
  if (value >= 0) throw std::runtime_error("thrown " + std::to_string(value));
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) unit_seconds = std::stod(argv[2]) * 1e-6;
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::ostringstream out;

  // A thread that neither MPI nor OpenMP knows.
  std::thread foreign([] { work(2); });
  int caught = 0;
  try {
    Region region("throwing");
    work(2);
    fails(rank);
  } catch (const std::runtime_error& error) {
    out << error.what() << ", ";
  }
#pragma omp parallel reduction(+ : caught)
  {
    work(2 + 2 * (omp_get_thread_num() % 2));
    try {
      fails(omp_get_thread_num());
    } catch (const std::exception&) {
      caught += scratch[3];
    }
  }
  foreign.join();
  int total = 0;
  MPI_Allreduce(&caught, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  out << "rank " << rank << " caught " << caught << " of " << total << "\n";
  std::cout << out.str() << std::flush;
  MPI_Finalize();
  return 0;
}
