// The end of an imaginary job of RANKS processes, step by step: how long the
// process that writes the report takes, and how much memory.
//
// usage: job_end RANKS REGIONS SECONDS rows|totals
//
// The totals go up the tree of MPI_Finalize, as bytes between two processes.
// Prints for each step: seconds, the most resident memory in MB, bytes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "document/render.h"
#include "imaginary_job.h"
#include "report/report_document.h"
#include "run_file/reader.h"
#include "run_file/writer.h"

namespace {

using poprt::JobTotals;
using poprt::bench::ImaginaryJob;

double seconds_now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The largest resident memory since the last call.
double peak_megabytes() {
  long kib = 0;
  char line[128];
  if (FILE* const file = std::fopen("/proc/self/status", "r")) {
    while (std::fgets(line, sizeof line, file) != nullptr) {
      std::sscanf(line, "VmHWM: %ld", &kib);
    }
    std::fclose(file);
  }
  if (FILE* const file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
  return static_cast<double>(kib) / 1024;
}

void print_step(const char* name, double seconds, size_t bytes) {
  std::printf("%-40s %8.2f s %8.0f MB %12zu bytes\n", name, seconds,
              peak_megabytes(), bytes);
  std::fflush(stdout);
}

// What the first process spends on what others send.
struct Root {
  double seconds = 0;
  size_t bytes = 0;
};

// The totals of ranks begin to end: of `begin`, and of what others send to it.
JobTotals totals_of(const ImaginaryJob& job, int64_t begin, int64_t end,
                    Root* root) {
  JobTotals totals = job.own_totals(begin);
  for (int64_t step = 1; begin + step < end; step *= 2) {
    const std::string bytes = poprt::serialise(
        totals_of(job, begin + step, std::min(begin + 2 * step, end), nullptr));
    const double start = seconds_now();
    JobTotals other;
    if (!poprt::deserialise(bytes, &other)) std::abort();
    totals = poprt::combine(std::move(totals), other);
    if (root == nullptr) continue;
    root->seconds += seconds_now() - start;
    root->bytes += bytes.size();
  }
  return totals;
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t ranks = argc == 5 ? std::atoll(argv[1]) : 0;
  ImaginaryJob job;
  job.regions = argc == 5 ? std::atoi(argv[2]) : 0;
  job.seconds = argc == 5 ? std::atoll(argv[3]) : 0;
  job.rows = argc == 5 && std::strcmp(argv[4], "rows") == 0;
  if (ranks < 1 || job.regions < 1 || job.seconds < 1) {
    std::fputs("usage: job_end RANKS REGIONS SECONDS rows|totals\n", stderr);
    return 2;
  }
  peak_megabytes();
  double start = seconds_now();
  Root root;
  JobTotals totals = totals_of(job, 0, ranks, &root);
  print_step("all processes, one after the other", seconds_now() - start, 0);
  print_step("the first process combines", root.seconds, root.bytes);

  start = seconds_now();
  poprt::RunContext context;
  context.program = "job_end";
  context.mpi_library = "none";
  poprt::JobReport report =
      poprt::make_report(std::move(context), std::move(totals));
  print_step("metrics", seconds_now() - start, 0);
  start = seconds_now();
  const std::string file = poprt::to_json(report);
  print_step("run file", seconds_now() - start, file.size());
  start = seconds_now();
  const std::string text = poprt::render_text(
      poprt::report_document(report, {poprt::Model::kPop}, ""));
  print_step("report", seconds_now() - start, text.size());
  start = seconds_now();
  std::string complaint;
  if (!poprt::parse_run_file(file, "file", &complaint)) {
    std::fprintf(stderr, "%s\n", complaint.c_str());
    return 1;
  }
  print_step("run file is read", seconds_now() - start, file.size());
  for (const std::string& note : report.totals.quality.notes) {
    std::printf("note: %s\n", note.c_str());
  }
  return 0;
}
