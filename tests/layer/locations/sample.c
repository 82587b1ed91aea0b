#include "mark.h"

void library_work(void);

static inline __attribute__((always_inline)) void inlined(void) {
  MARK("inlined", "main");
}

__attribute__((noinline)) static void hidden(void) { MARK("hidden", "hidden"); }

__attribute__((noinline)) void visible(int threads) {
  MARK("visible", "visible");
#pragma omp parallel num_threads(threads)
  {
    MARK("visible", "visible");
#pragma omp single
    {
#pragma omp task
      MARK("visible", TASK_OF("visible"));
    }
  }
}

int main(void) {
  MARK("main", "main");
  inlined();
  hidden();
  visible(1);
  library_work();
  return 0;
}
