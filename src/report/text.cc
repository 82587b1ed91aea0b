// The report that a person reads at the end of a run: heading, a table for
// each model, where the time went, what stands out, what to doubt.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"
#include "report/constructs.h"
#include "report/findings.h"
#include "report/format.h"
#include "report/heading.h"
#include "report/table.h"
#include "report/writers.h"

namespace poprt {
namespace {

std::string shape_line(const JobReport& report) {
  std::string line = " " + shape(report.totals);
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return line + "\n";
  const double overhead =
      static_cast<double>(report.totals.quality.overhead_ns) /
      static_cast<double>(job_core_ns(report));
  const std::string elapsed = duration(global->totals.all_ns) + " elapsed";
  const std::string cost = job_core_ns(report) > 0 && !is_imported(report)
                               ? "overhead ~" + percent(overhead) + " %"
                               : "overhead unknown";
  line = left(line, 44) + "  " + left(elapsed, 17);
  return line + right(cost, kReportWidth - 44 - 2 - 17) + "\n";
}

// MPI libraries describe themselves over several lines: name and version are
// what comes before the first break.
std::string first_words(const std::string& library) {
  return printable(library.substr(0, library.find_first_of(",\n")));
}

std::string software_line(const JobReport& report) {
  const RunContext& context = report.context;
  std::string line;
  if (is_imported(report)) {
    line = " measured by " + printable(context.imported_from);
  } else if (report.totals.has_mpi) {
    line = " " + shortened(first_words(context.mpi_library), 30);
    if (!context.mpi_thread_level.empty()) {
      line += ", " + printable(context.mpi_thread_level);
    }
  }
  if (report.totals.has_openmp && !is_imported(report)) {
    line += line.empty() ? " " : " | ";
    line += "OpenMP: " + first_words(context.openmp_runtime);
  } else if (report.totals.has_unseen_openmp) {
    line += line.empty() ? " " : " | ";
    line += "OpenMP: GCC's, not measured";
  }
  return line.empty() ? "" : shortened(line, kReportWidth) + "\n";
}

}  // namespace

std::string to_text(const JobReport& report, const std::vector<Model>& models,
                    const std::string& run_file, const TableOptions& options) {
  std::vector<std::string> blocks;
  blocks.push_back(heading_line(command_line(report.context)) +
                   shape_line(report) + software_line(report));
  if (global_region(report) == nullptr) {
    blocks.push_back(" Nothing was measured.\n");
  }
  Footnotes footnotes;
  for (Model model : models) {
    blocks.push_back(model_table(report, model, options, &footnotes));
  }
  blocks.push_back(footnotes.lines());
  blocks.push_back(core_time_bars(report));
  blocks.push_back(region_ranking(report));
  blocks.push_back(parallel_region_ranking(report));
  blocks.push_back(task_ranking(report));
  for (const std::string& block : options.blocks) blocks.push_back(block);
  const bool in_file = !run_file.empty();
  blocks.push_back(main_finding(report) +
                   (in_file ? next_step(report, run_file) : ""));
  blocks.push_back(quality_notes(report));
  if (in_file) blocks.push_back(" Run file  " + printable(run_file) + "\n");
  return joined_blocks(blocks);
}

}  // namespace poprt
