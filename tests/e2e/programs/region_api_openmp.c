/* Metrics at run time in a program with OpenMP: a parallel region in which
 * thread 1 works twice as long as thread 0, and serial work. */
#include <omp.h>
#include <poprt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long unit_us = 50000;

static void work(int units) {
  const long ns = units * unit_us * 1000;
  const struct timespec time = {ns / 1000000000, ns % 1000000000};
  nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  if (argc > 1) unit_us = atol(argv[1]);
  pop_region_start("solve");
  work(1);
#pragma omp parallel
  work(omp_get_thread_num() == 0 ? 2 : 4);
  pop_region_stop("solve");
  pop_region_metrics_t m;
  const int found = pop_region_metrics_job("solve", &m);
  if (found) {
    printf(
        "{\"threads\": %lld, \"useful_sum_ns\": %lld, \"omp_sum_ns\": %lld, "
        "\"all_ns\": %lld, \"load_balance\": %.17g, "
        "\"openmp_load_balance\": %.17g, "
        "\"openmp_parallel_efficiency\": %.17g}\n",
        (long long)m.threads, (long long)m.useful_ns, (long long)m.openmp_ns,
        (long long)m.run_time_ns, m.load_balance, m.openmp_load_balance,
        m.openmp_parallel_efficiency);
  }
  return 0;
}
