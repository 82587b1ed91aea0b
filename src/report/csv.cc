// Writes metrics for spreadsheets and scripts (RFC 4180).
#include "report/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "document/format.h"
#include "report/job_numbers.h"
#include "report/table.h"
#include "report/table_options.h"

namespace poprt {

std::string csv_heading() {
  return "file,ranks,threads,region,model,metric,value,lost,least,most\n";
}

std::string job_csv(const JobReport& report, const std::string& file) {
  std::string text;
  for (const JobNumber& number : job_numbers()) {
    const double value = number.value(report);
    if (!std::isfinite(value)) continue;
    text += fmt::format("{},{},{},{},{},{},{},,,\n", csv_field(file),
                        report.totals.processes, report.totals.threads,
                        kGlobalRegion, kHostsModel, number.key, value);
  }
  return text;
}

std::string to_csv(const JobReport& report, const std::string& file,
                   const std::vector<Model>& models,
                   const TableOptions& options) {
  std::string text;
  for (const RegionReport* region : shown_regions(report, options)) {
    const std::string first =
        fmt::format("{},{},{},{}", csv_field(file), report.totals.processes,
                    report.totals.threads, csv_field(region->totals.name));
    const WindowReport* const estimated = estimated_window(report, *region);
    for (const Model model : models) {
      for (const Metric& metric : metrics_of_layers(report, model)) {
        const auto bound = [&](Metrics MetricRange::*which) {
          return estimated == nullptr
                     ? ""
                     : csv_number(metric.value(estimated->range.*which));
        };
        text +=
            fmt::format("{},{},{},{},{},{},{}\n", first, key_of(model),
                        metric.key, csv_number(metric.value(region->metrics)),
                        csv_number(metric.value(region->losses)),
                        bound(&MetricRange::least), bound(&MetricRange::most));
      }
    }
  }
  return text;
}

}  // namespace poprt
