// Writes a difference for spreadsheets and scripts (RFC 4180).
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "compare/difference_document.h"
#include "compare/gains.h"
#include "compare/same_work.h"
#include "document/format.h"
#include "report/job_numbers.h"

namespace poprt {
namespace {

const char* beyond_noise_text(const Change& change) {
  if (std::isnan(change.difference)) return "";
  return beyond_noise(change) ? "yes" : "no";
}

// Of a side without runs: nothing.
const char* light_text(const Configuration& side) {
  return side.runs.empty() ? "" : key_of(light_of(side));
}

const char* scaling_text(const Pair& pair, const DifferenceOptions& options) {
  if (pair.a.runs.empty() || pair.b.runs.empty()) return "";
  return name_of(work_of_two(pair.a, pair.b, options.scaling).choice.scaling);
}

std::string line_of(const Pair& pair, const std::string& region,
                    const char* model, const Change& c,
                    const std::string& gains) {
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", pair.a.name,
      pair.b.name, pair.a.runs.size(), pair.b.runs.size(), csv_field(region),
      model, c.metric.key, csv_number(c.a.mean), csv_number(c.b.mean),
      csv_number(c.difference), csv_number(c.noise), beyond_noise_text(c),
      light_text(pair.a), light_text(pair.b), gains);
}

std::string lines_of(const Pair& pair, const DifferenceOptions& options) {
  std::string text;
  const std::string gains = gain_fields(pair.a) + "," + gain_fields(pair.b) +
                            "," + scaling_text(pair, options);
  for (const std::string& region : options.regions) {
    for (const Model model : options.models) {
      for (const Change& c : changes(pair.a, pair.b, region, model)) {
        text += line_of(pair, region, key_of(c.metric.model), c, gains);
      }
    }
  }
  for (const Change& c : job_changes(pair.a, pair.b)) {
    text += line_of(pair, kGlobalRegion, kHostsModel, c, gains);
  }
  return text;
}

}  // namespace

std::string difference_csv(const Comparison& comparison,
                           const DifferenceOptions& options) {
  std::string text =
      "a,b,runs_a,runs_b,region,model,metric,mean_a,mean_b,difference,noise,"
      "beyond_noise,light_a,light_b,loss_a,gain_low_a,gain_high_a,loss_b,"
      "gain_low_b,gain_high_b,scaling\n";
  for (const Pair& pair : comparison.pairs) text += lines_of(pair, options);
  for (const Configuration& a : comparison.only_a) {
    text += lines_of({a, {}}, options);
  }
  for (const Configuration& b : comparison.only_b) {
    text += lines_of({{}, b}, options);
  }
  return text;
}

}  // namespace poprt
