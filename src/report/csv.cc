// Writes metrics for spreadsheets and scripts (RFC 4180).
#include "report/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "document/format.h"
#include "model/finding_values.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "report/devices.h"
#include "report/job_numbers.h"
#include "report/table.h"
#include "report/table_options.h"

namespace poprt {
namespace {

// The fields in front of those of a number.
std::string first_fields(const JobReport& report, const std::string& file,
                         const std::string& region) {
  const JobTotals& totals = report.totals;
  const std::string threads = is_unseen(totals, EventLayer::kOpenMp)
                                  ? ""
                                  : std::to_string(totals.threads);
  return fmt::format("{},{},{},{}", csv_field(file), totals.processes, threads,
                     csv_field(region));
}

std::string whole_run(const JobReport& report, const std::string& file) {
  return first_fields(report, file, kGlobalRegion);
}

// The light, and the number of each of its causes; the grade is the light.
std::string light_csv(const JobReport& report, const std::string& file,
                      const Judgement& judgement) {
  constexpr char kModel[] = "quality";
  const std::string first = whole_run(report, file);
  std::string text = fmt::format("{},{},light,,,,,{}\n", first, kModel,
                                 key_of(judgement.light));
  for (const FoundCause& found : judgement.causes) {
    text += fmt::format("{},{},{},{},,,,{}\n", first, kModel, found.cause.key,
                        csv_number(found.value), key_of(found.light));
  }
  return text;
}

// What mending the largest loss saves; a text stands where a grade does.
std::string gain_csv(const JobReport& report, const std::string& file) {
  std::string text;
  for (const FindingValue& each : finding_values(report)) {
    text += fmt::format("{},gain,{},{},,,,{}\n", whole_run(report, file),
                        each.key, csv_number(each.number), each.text);
  }
  return text;
}

}  // namespace

std::string csv_heading() {
  return "file,ranks,threads,region,model,metric,value,lost,least,most,grade\n";
}

std::string job_csv(const JobReport& report, const std::string& file) {
  std::string text;
  for (const JobNumber& number : job_numbers()) {
    const double value = number.value(report);
    if (!std::isfinite(value)) continue;
    text += fmt::format("{},{},{},{},,,,\n", whole_run(report, file),
                        kHostsModel, number.key, value);
  }
  return text;
}

std::string to_csv(const JobReport& report, const std::string& file,
                   const std::vector<Model>& models,
                   const TableOptions& options) {
  const Judgement judgement = judge(report);
  const bool is_graded = judgement.light != Light::kRed;
  std::string text =
      light_csv(report, file, judgement) + gain_csv(report, file);
  for (const RegionReport* region : shown_regions(report, options)) {
    const std::string first = first_fields(report, file, region->totals.name);
    const WindowReport* const estimated = estimated_window(report, *region);
    for (const Model model : models) {
      for (const Metric& metric : metrics_of_layers(report, model)) {
        const auto bound = [&](Metrics MetricRange::*which) {
          return estimated == nullptr
                     ? ""
                     : csv_number(metric.value(estimated->range.*which));
        };
        TableCell of_devices;
        set_device_range(*region, metric, &of_devices);
        const double value = metric.value(region->metrics);
        const Grade grade =
            is_graded && metric.is_efficiency() && !std::isnan(value)
                ? grade_of(value, options.thresholds)
                : Grade::kNone;
        text += fmt::format("{},{},{},{},{},{},{},{}\n", first, key_of(model),
                            metric.key, csv_number(value),
                            csv_number(metric.value(region->losses)),
                            of_devices.is_range ? csv_number(of_devices.least)
                                                : bound(&MetricRange::least),
                            of_devices.is_range ? csv_number(of_devices.most)
                                                : bound(&MetricRange::most),
                            key_of(grade));
      }
    }
  }
  return text;
}

}  // namespace poprt
