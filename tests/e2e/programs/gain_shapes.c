// Programs that lose time in one way each, and the same with that loss mended:
// what the mending gains is known by doing it.
//   gain_shapes SHAPE [fixed]
// Work is sleeping, so that it takes as long as it says on any number of cores.
// The mending is the one that the name of the loss suggests.
#include <errno.h>
#include <mpi.h>
#include <omp.h>
#include <poprt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int g_rank, g_ranks, g_fixed;

static void work_ms(double ms) {
  const long us = (long)(1000 * ms + 0.5);
  struct timespec left = {us / 1000000, us % 1000000 * 1000};
  while (nanosleep(&left, &left) == -1 && errno == EINTR) {
  }
}

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

// MPI works for long when it reduces with this operation: each call of it takes
// as long as its operand says, in ms.
static void slow_operation(void* in, void* inout, int* length,
                           MPI_Datatype* type) {
  (void)inout, (void)type;
  for (int i = 0; i < *length; ++i) work_ms(((const int*)in)[i]);
}

static void reduce_locally(int ms) {
  MPI_Op operation;
  int in = ms, inout = ms;
  MPI_Op_create(slow_operation, 1, &operation);
  MPI_Reduce_local(&in, &inout, 1, MPI_INT, operation);
  MPI_Op_free(&operation);
}

static void reduce_all(int ms) {
  MPI_Op operation;
  int in = ms, out;
  MPI_Op_create(slow_operation, 1, &operation);
  MPI_Allreduce(&in, &out, 1, MPI_INT, operation, MPI_COMM_WORLD);
  MPI_Op_free(&operation);
}

// One rank of four has more work than the others, and rank 1 has also much to
// do in MPI, which stays. Mended: all have the same, so that rank 1 is the
// last.
static void unequal_ranks_and_a_busy_one(void) {
  for (int step = 0; step < 4; ++step) {
    work_ms(g_fixed ? 80 : g_rank == 0 ? 200 : 40);
    if (g_rank == 1) reduce_locally(90);
    barrier();
  }
}

// Each rank works only when the one before it has. Mended: at the same time.
static void chain_of_ranks(void) {
  for (int step = 0; step < 4; ++step) {
    int token = 0;
    if (!g_fixed && g_rank > 0) {
      MPI_Recv(&token, 1, MPI_INT, g_rank - 1, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    work_ms(60);
    if (!g_fixed && g_rank + 1 < g_ranks) {
      MPI_Send(&token, 1, MPI_INT, g_rank + 1, 0, MPI_COMM_WORLD);
    }
    barrier();
  }
}

// The same, where one rank has most of the work. Mended: all have the same;
// each still works only when the one before it has, so that nothing is gained.
static void unequal_ranks_in_a_chain(void) {
  for (int step = 0; step < 4; ++step) {
    int token = 0;
    if (g_rank > 0) {
      MPI_Recv(&token, 1, MPI_INT, g_rank - 1, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    work_ms(g_fixed ? 50 : g_rank == 0 ? 140 : 20);
    if (g_rank + 1 < g_ranks) {
      MPI_Send(&token, 1, MPI_INT, g_rank + 1, 0, MPI_COMM_WORLD);
    }
    barrier();
  }
}

// Rank 1 can begin only when rank 0 has sent, which it does after its own work.
// Mended: it sends first.
static void late_sender(void) {
  for (int step = 0; step < 4; ++step) {
    int value = 0;
    if (g_rank == 0) {
      if (!g_fixed) work_ms(90);
      MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      if (g_fixed) work_ms(90);
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      work_ms(110);
    }
    barrier();
  }
}

// A slow reduction in each step. Mended: one for all of them.
static void many_reductions(void) {
  for (int step = 0; step < 20; ++step) {
    work_ms(100);
    if (!g_fixed || step == 0) reduce_all(50);
  }
}

// A thread of rank 0 has more work than the others, but the threads of rank 1
// are nearly as busy. Mended: threads have the same.
static void unequal_threads_of_one_rank(void) {
  for (int step = 0; step < 4; ++step) {
#pragma omp parallel
    work_ms(g_rank == 1                 ? 90
            : g_fixed                   ? 40
            : omp_get_thread_num() == 0 ? 100
                                        : 20);
    barrier();
  }
}

// The first iterations are the longest, and all are those of one thread.
// Mended: whoever has nothing to do takes the next one.
static void static_loop(void) {
  omp_set_schedule(g_fixed ? omp_sched_dynamic : omp_sched_static,
                   g_fixed ? 1 : 0);
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 16; ++i) work_ms(i < 4 ? 150 : 50);
}

// Mended: the serial part is shared between the threads, too.
static void serial_part(void) {
  for (int step = 0; step < 4; ++step) {
    if (!g_fixed) work_ms(100);
#pragma omp parallel
    work_ms(g_fixed ? 125 : 100);
  }
}

// Mended: nothing of it has to be in a critical region.
static void critical_region(void) {
  for (int step = 0; step < 4; ++step) {
#pragma omp parallel
    {
      work_ms(50);
      if (g_fixed) {
        work_ms(50);
      } else {
#pragma omp critical
        work_ms(50);
      }
    }
  }
}

// Each task needs what the one before it has done. Mended: it does not.
static void chain_of_tasks(void) {
  int data[8];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; ++i) {
    int* const its = &data[g_fixed ? i : 0];
#pragma omp task firstprivate(its) depend(inout : *its)
    work_ms(60);
  }
}

// In each step of a region another rank has the most work. Mended: all have
// the same in each.
static void rotating_ranks_in_a_region(void) {
  work_ms(50);
  for (int step = 0; step < 4; ++step) {
    pop_region_start("solve");
    work_ms(g_fixed ? 80 : g_rank == step % 4 ? 170 : 50);
    barrier();
    pop_region_stop("solve");
  }
}

// The ranks do `ms` of work one after the other; `last_ms`: the second thread.
static void in_turn(double ms, double last_ms) {
  int token = 0;
  if (g_rank > 0) {
    MPI_Recv(&token, 1, MPI_INT, g_rank - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  if (last_ms > 0) {
#pragma omp parallel
    work_ms(omp_get_thread_num() == 0 ? ms : last_ms);
  } else {
    work_ms(ms);
  }
  if (g_rank + 1 < g_ranks) {
    MPI_Send(&token, 1, MPI_INT, g_rank + 1, 0, MPI_COMM_WORLD);
  }
}

static double mean_of(double first, double others) {
  return (first + (g_ranks - 1) * others) / g_ranks;
}

// examples/hybrid.c: a serial part, parallel regions in which rank 0 has 1.5
// times the work and one thread two thirds, a chain of ranks.  Mended: the
// ranks have the same in each part, or the threads of each rank have.
static void demo(int equal_ranks, int equal_threads) {
  double ms = equal_ranks ? mean_of(300, 100) : g_rank == 0 ? 300 : 100;
  pop_region_start("setup");
  if (equal_threads) {
#pragma omp parallel
    work_ms(ms / 2);
  } else {
    work_ms(ms);
  }
  barrier();
  pop_region_stop("setup");
  ms = equal_ranks ? mean_of(150, 100) : g_rank == 0 ? 150 : 100;
  pop_region_start("solve");
  for (int step = 0; step < 5; ++step) {
#pragma omp parallel
    work_ms(equal_threads               ? ms * 5 / 6
            : omp_get_thread_num() == 0 ? ms
                                        : ms * 2 / 3);
    barrier();
  }
  pop_region_stop("solve");
  pop_region_start("exchange");
  in_turn(equal_threads ? 50 : 100, equal_threads ? 50 : 0);
  pop_region_stop("exchange");
}
static void demo_of_unequal_ranks(void) { demo(g_fixed, 0); }
static void demo_of_unequal_threads(void) { demo(0, g_fixed); }

// The same kinds of parts in turn, in regions within another one that is the
// whole program.  Mended: the ranks have the same.
static void nested_regions(void) {
  pop_region_start("main");
  for (int step = 0; step < 3; ++step) {
    pop_region_start("assemble");
    const double ms = g_fixed ? mean_of(200, 80) : g_rank == 0 ? 200 : 80;
#pragma omp parallel
    work_ms(omp_get_thread_num() == 0 ? ms : ms * 3 / 4);
    barrier();
    pop_region_stop("assemble");
    pop_region_start("halo");
    in_turn(20, 20);
    barrier();
    pop_region_stop("halo");
  }
  pop_region_stop("main");
}

static const struct {
  const char* name;
  void (*run)(void);
} kShapes[] = {
    {"unequal_ranks_and_a_busy_one", unequal_ranks_and_a_busy_one},
    {"chain_of_ranks", chain_of_ranks},
    {"unequal_ranks_in_a_chain", unequal_ranks_in_a_chain},
    {"late_sender", late_sender},
    {"many_reductions", many_reductions},
    {"unequal_threads_of_one_rank", unequal_threads_of_one_rank},
    {"static_loop", static_loop},
    {"serial_part", serial_part},
    {"critical_region", critical_region},
    {"chain_of_tasks", chain_of_tasks},
    {"rotating_ranks_in_a_region", rotating_ranks_in_a_region},
    {"demo_of_unequal_ranks", demo_of_unequal_ranks},
    {"demo_of_unequal_threads", demo_of_unequal_threads},
    {"nested_regions", nested_regions},
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_ranks);
  g_fixed = argc > 2 && strcmp(argv[2], "fixed") == 0;
  int found = 0;
  for (size_t i = 0; i < sizeof kShapes / sizeof kShapes[0]; ++i) {
    if (argc < 2 || strcmp(argv[1], kShapes[i].name) != 0) continue;
    kShapes[i].run();
    found = 1;
  }
  MPI_Finalize();
  if (!found) fprintf(stderr, "usage: %s SHAPE [fixed]\n", argv[0]);
  return found ? 0 : 2;
}
