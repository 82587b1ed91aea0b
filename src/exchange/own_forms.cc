// poprt's own forms: CSV of all metrics, and the run file.
#include <iterator>

#include "exchange/formats.h"
#include "exchange/run_name.h"
#include "model/metric_table.h"
#include "report/csv.h"
#include "report/heading.h"
#include "report/table_options.h"
#include "run_file/writer.h"

namespace poprt {

std::vector<ExportedFile> csv_files(const std::vector<JobReport>& reports,
                                    const std::vector<std::string>& names) {
  const std::vector<Model> models(std::begin(kModels), std::end(kModels));
  std::string text = csv_heading();
  for (size_t i = 0; i < reports.size(); ++i) {
    TableOptions options;
    for (const RegionReport& region : reports[i].regions) {
      options.regions.push_back(region.totals.name);
    }
    text += to_csv(reports[i], names[i], models, options);
    text += job_csv(reports[i], names[i]);
  }
  return {{"metrics.csv", text}};
}

ExportedFile run_file_of(const JobReport& report) {
  return {file_name_of(report.context) + "-" + file_shape(report.totals) +
              ".poprt.json",
          to_json(report)};
}

}  // namespace poprt
