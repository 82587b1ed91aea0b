// The reports that the golden files and the docs are made of.
#ifndef POPRT_TESTS_UNIT_SAMPLE_REPORTS_H_
#define POPRT_TESTS_UNIT_SAMPLE_REPORTS_H_

#include "model/job.h"

namespace poprt::test {

// 4 ranks x 4 threads on two nodes, Global and five regions, for the golden
// files.  With `rows` it has rows of processes.
JobReport hybrid_report(bool rows = false);

// 2 ranks x 2 threads, MPI-IO and nothing but Global: the example in the docs.
JobReport small_report();

// 2 ranks x 2 threads that call accelerators in one of their two regions, and
// have kept the path without waits in MPI.
JobReport accelerated_report(bool rows = false);

// The small report of a run in which nothing is lost.
JobReport report_without_loss();

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_SAMPLE_REPORTS_H_
