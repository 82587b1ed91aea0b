#include "mark.h"

#define NAMED(name) MARK(name, name)

extern "C" void library_work();

namespace grid {

struct Point {};

template <typename T>
class Solver {
 public:
  __attribute__((noinline)) int step(const T*, int threads) const {
    NAMED("grid::Solver::step");
#pragma omp parallel num_threads(threads)
    {
      NAMED("grid::Solver::step");
#pragma omp single
      {
#pragma omp task
        MARK("grid::Solver::step", TASK_OF("grid::Solver::step"));
      }
    }
    return threads;
  }

  __attribute__((noinline)) bool operator()(Point, T) const {
    NAMED("grid::Solver::operator()");
    return true;
  }

  __attribute__((always_inline)) inline void inlined() const {
    MARK("grid::Solver::inlined", "main");
  }
};

namespace {

template <typename T>
__attribute__((noinline)) T hidden(T value) {
  NAMED("grid::(anonymous namespace)::hidden");
#pragma omp parallel num_threads(1)
  NAMED("grid::(anonymous namespace)::hidden");
  return value;
}

}  // namespace

int call_hidden() { return hidden(2) + static_cast<int>(hidden(3.0)); }

}  // namespace grid

template <typename Work>
__attribute__((noinline)) void apply(const Work& work) {
  NAMED("apply");
  work();
}

int main() {
  const grid::Solver<double> solver;
  solver.step(nullptr, 1);
  solver(grid::Point(), 1.0);
  solver.inlined();
  apply([]() __attribute__((noinline)) { NAMED("main::lambda"); });
  library_work();
  return grid::call_hidden() == 5 ? 0 : 1;
}
