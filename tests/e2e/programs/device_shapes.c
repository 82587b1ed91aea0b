// Shapes of `target` regions on devices that are the host itself (LLVM's plugin
// for it, which has four).  Kernels and host work sleep, so that ranks need no
// cores.  With MPI each step ends in a reduction.  The region "steps" has all
// steps but the first, in which the runtime starts its helpers and the device
// loads its code.
//
//   device_shapes SHAPE
//
// The time of each shape is in check_devices.py.
#include <dlfcn.h>
#include <omp.h>
#include <poprt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { kSteps = 3, kKernelMs = 100, kHostMs = 60, kNumbers = 1 << 22 };

static int rank = 0;
static double numbers[kNumbers];

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static double step_ends(double x) {
#ifdef WITH_MPI
  double sum;
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
#else
  return x;
#endif
}

// The host works beside the kernel.
static double nowait(double x) {
#pragma omp target nowait map(tofrom : x) device(rank)
  {
    sleep_ms(kKernelMs);
    x += 1;
  }
  sleep_ms(kHostMs);
#pragma omp taskwait
  return x;
}

// The host waits for the kernel, and works then.
static double blocking(double x) {
#pragma omp target map(tofrom : x) device(rank)
  {
    sleep_ms(kKernelMs);
    x += 1;
  }
  sleep_ms(kHostMs);
  return x;
}

// Two threads, each with a device of its own.
static double two_devices(double x) {
#pragma omp parallel num_threads(2) reduction(+ : x)
  {
    double mine = 0;
#pragma omp target map(tofrom \
                       : mine) device(2 * (rank % 2) + omp_get_thread_num())
    {
      sleep_ms(kKernelMs);
      mine = 1;
    }
    sleep_ms(kHostMs);
    x += mine;
  }
  return x;
}

// A data region with a kernel and an update inside, and one inside of that.
static double data(double x) {
#pragma omp target data map(tofrom : numbers) device(rank)
  {
#pragma omp target data map(tofrom : x) device(rank)
    {
#pragma omp target map(tofrom : x) device(rank)
      {
        sleep_ms(kKernelMs);
        numbers[1] = x += 1;
      }
#pragma omp target update from(numbers) device(rank)
      sleep_ms(kHostMs);
    }
  }
  return x;
}

// Memory of the device without any construct.
static double memory(double x) {
  const int host = omp_get_initial_device();
  double* const there = omp_target_alloc(sizeof numbers, rank);
  for (int i = 0; i < 4; ++i) {
    omp_target_memcpy(there, numbers, sizeof numbers, 0, 0, rank, host);
  }
  omp_target_free(there, rank);
  sleep_ms(kHostMs);
  return x + 1;
}

// The kernel has teams and threads, which are this process's.
static double teams(double x) {
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(2) \
    map(tofrom                                                                \
        : x) device(rank)
  for (int i = 0; i < 4; ++i) {
    sleep_ms(kKernelMs / 2);
    if (i == 0) x += 1;
  }
#pragma omp parallel num_threads(2)
  sleep_ms(kHostMs);
  return x;
}

// How many threads the runtime would start, as it tells who opens it by this
// name.
static double opened(double x) {
  void* const runtime = dlopen("libomp.so", RTLD_LAZY);
  int (*const most)(void) =
      runtime == NULL ? NULL
                      : (int (*)(void))dlsym(runtime, "omp_get_max_threads");
  if (rank == 0) printf("threads: %d\n", most == NULL ? -1 : most());
  return blocking(x);
}

static const struct {
  const char* name;
  double (*step)(double);
} kShapes[] = {
    {"nowait", nowait}, {"blocking", blocking}, {"two_devices", two_devices},
    {"data", data},     {"memory", memory},     {"teams", teams},
    {"opened", opened}};

int main(int argc, char** argv) {
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  for (size_t i = 0; argc > 1 && i < sizeof kShapes / sizeof *kShapes; ++i) {
    if (strcmp(argv[1], kShapes[i].name) != 0) continue;
    double x = step_ends(kShapes[i].step(0));
    pop_region_start("steps");
    for (int step = 0; step < kSteps; ++step) {
      x = step_ends(kShapes[i].step(x));
    }
    pop_region_stop("steps");
    if (rank == 0) printf("%s: %g\n", kShapes[i].name, x);
  }
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return 0;
}
