// OTF-CPT's text, as CPT-plot reads it: two lines by their beginnings, and
// "name: value" lines between two rules, without blank ones.
#include <fmt/format.h>

#include <string>

#include "exchange/formats.h"
#include "exchange/run_name.h"
#include "model/metric_table.h"
#include "report/heading.h"

namespace poprt {
namespace {

constexpr double kNsPerSecond = 1e9;

// OTF-CPT's name of a row.
std::string label(const Metric& metric) {
  std::string text = metric.label;
  if (text.rfind("OpenMP", 0) == 0) text.replace(0, 6, "OMP");
  return std::string(2 * static_cast<size_t>(metric.depth), ' ') + text + ":";
}

}  // namespace

std::string to_otfcpt(const JobReport& report) {
  const RegionReport& global = *global_region(report);
  const RegionTotals& totals = global.totals;
  const auto threads = static_cast<double>(totals.threads);
  std::string text = fmt::format(
      "=> Number of processes:          {}\n"
      "=> Number of threads:            {}\n"
      "=> Average Computation (in s):   {:.6f}\n"
      "=> Total runtime (in s):         {:.6f}\n"
      "\n\n----------------POP metrics----------------\n",
      report.totals.processes, report.totals.threads,
      static_cast<double>(totals.useful_sum_ns) / threads / kNsPerSecond,
      static_cast<double>(totals.all_ns) / kNsPerSecond);
  const Metrics metrics = metrics_of(totals, Layers());
  for (const Metric& metric : metrics_in(Model::kCriticalPath)) {
    if (metric.of_nodes) continue;  // that tool does not know them
    text += fmt::format("{:<36}{:.6f}\n", label(metric), metric.value(metrics));
  }
  return text + "-------------------------------------------\n";
}

std::vector<ExportedFile> otfcpt_files(const std::vector<JobReport>& reports) {
  std::vector<ExportedFile> files;
  for (const JobReport& report : reports) {
    files.push_back({file_name_of(report.context) + "-" +
                         file_shape(report.totals) + ".txt",
                     to_otfcpt(report)});
  }
  return files;
}

}  // namespace poprt
