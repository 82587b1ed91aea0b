#include "report/unknown_threads.h"

#include <fmt/format.h>

#include "document/format.h"
#include "model/quantities.h"
#include "model/ratio.h"

namespace poprt {
namespace {

// MPI and other libraries have threads of their own that mostly sleep.  They
// are not mentioned below this share of the core time, or this time for each
// process.
constexpr double kLeastShare = 0.01;
constexpr int64_t kLeastNs = 10'000'000;

int64_t cpu_ns(const JobReport& report) {
  return amount(report.totals.resources, kUnknownThreadsCpu.name);
}

double as_share_of(int64_t ns, int64_t of_ns) {
  return ratio(static_cast<double>(ns), static_cast<double>(of_ns));
}

bool has_no_openmp_but_unseen(const JobReport& report) {
  return is_unseen(report.totals, EventLayer::kOpenMp);
}

}  // namespace

bool have_unknown_threads_worked(const JobReport& report) {
  const int64_t cpu = cpu_ns(report);
  return cpu / kLeastNs >= report.totals.processes &&
         as_share_of(cpu, job_core_ns(report)) >= kLeastShare;
}

std::string unknown_threads_note(const JobReport& report) {
  const int64_t cpu = cpu_ns(report);
  const int64_t alive = amount(report.totals.resources, kUnknownThreads.name);
  return fmt::format(
      "threads unknown to OpenMP (pthreads, std::thread, TBB, of libraries{}) "
      "used {} of CPU time, {} % as much as the useful time, which is in no "
      "figure here{}.{}",
      openmp_has_ended(report) || has_no_openmp_but_unseen(report) ? ", OpenMP"
                                                                   : "",
      duration(cpu),
      percent(as_share_of(cpu, global_region(report)->totals.useful_sum_ns)),
      alive > 0 ? fmt::format("; {} of them still lived at the end", alive)
                : "",
      has_no_openmp_but_unseen(report) ||
              has_amount(report.totals.resources, kProgramThreads.name)
          ? ""
          : " POPRT_THREADS=all measures those of the program.");
}

}  // namespace poprt
