#include "compare/reference.h"

#include "model/judge.h"

namespace poprt {

std::string why_no_reference(const JobReport& run) {
  if (is_unseen(run.totals, EventLayer::kOpenMp)) {
    return "its OpenMP is not known, nor how many cores it had";
  }
  if (is_incomplete(run.context)) return "it did not come to its end";
  return is_red(run) ? "it cannot be judged" : "";
}

std::string why_no_reference(const Configuration& configuration) {
  for (const RunFile& run : configuration.runs) {
    std::string why = why_no_reference(run.report);
    if (!why.empty()) return why;
  }
  return "";
}

std::optional<size_t> first_reference(
    const std::vector<Configuration>& configurations) {
  for (size_t i = 0; i < configurations.size(); ++i) {
    if (why_no_reference(configurations[i]).empty()) return i;
  }
  return std::nullopt;
}

std::vector<std::string> reference_notes(
    const std::vector<Configuration>& configurations) {
  std::vector<std::string> notes;
  for (const Configuration& each : configurations) {
    const std::string why = why_no_reference(each);
    if (why.empty()) continue;
    notes.push_back("no run is compared with " + each.name + ": " + why);
  }
  return notes;
}

}  // namespace poprt
