// Writes a scaling study for spreadsheets and scripts (RFC 4180).
#include <fmt/format.h>

#include <string>
#include <vector>

#include "compare/gains.h"
#include "compare/scaling_document.h"
#include "compare/scaling_kind.h"
#include "document/format.h"

namespace poprt {

std::string scaling_csv(const ScalingStudy& study,
                        const ScalingOptions& options) {
  std::string text =
      "ranks,threads,runs,reference,scaling,region,model,metric,median,min,"
      "max,configuration,light,loss,gain_low,gain_high\n";
  std::vector<std::string> gains;
  for (const Configuration& each : study.configurations) {
    gains.push_back(gain_fields(each));
  }
  for (const std::string& region : options.regions) {
    for (const Model model : options.models) {
      if (!is_scaled(model)) continue;
      const auto rows = scaling_table(study, region, model);
      for (size_t i = 0; i < study.configurations.size(); ++i) {
        const Configuration& configuration = study.configurations[i];
        const JobTotals& totals = configuration.runs.front().report.totals;
        const char* const light = key_of(light_of(configuration));
        for (const ScalingRow& row : rows) {
          const Statistics& values = row.cells[i].values;
          text += fmt::format(
              "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", totals.processes,
              is_unseen(totals, EventLayer::kOpenMp)
                  ? ""
                  : std::to_string(totals.threads),
              configuration.runs.size(), reference_name(study),
              name_of(study.scaling), csv_field(region),
              key_of(row.metric.model), row.metric.key,
              csv_number(values.median), csv_number(values.min),
              csv_number(values.max), configuration.name, light, gains[i]);
        }
      }
    }
  }
  return text;
}

}  // namespace poprt
