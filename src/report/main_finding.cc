// Puts the sentences that are true together.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "document/format.h"
#include "document/shell_word.h"
#include "model/agreement.h"
#include "model/judge.h"
#include "model/largest_loss.h"
#include "model/metric_table.h"
#include "report/denial.h"
#include "report/findings.h"
#include "report/meanings.h"
#include "report/sentences.h"

namespace poprt {
namespace {

// A finding without words about a loss of this region; about none if it is
// not known.
Finding finding_of(const JobReport& report, const RegionReport& region,
                   const std::optional<Loss>& loss) {
  Finding finding = {"", region.totals.name};
  if (!loss) return finding;
  const Metric& metric = loss->metric;
  finding.metric = std::string(key_of(metric.model)) + "." + metric.key;
  finding.value = metric.value(region.metrics);
  finding.lost = metric.value(region.losses);
  finding.advice = advice(report, region, metric);
  return finding;
}

Finding finding_of(const Situation& s, Part part) {
  if (part == Part::kRegion) {
    return finding_of(s.report, s.region == nullptr ? s.global : *s.region,
                      s.region_loss);
  }
  Finding finding = finding_of(s.report, s.global,
                               part == Part::kLoss ? s.loss : std::nullopt);
  if (part == Part::kUseful && !s.is_red) finding.value = s.useful;
  return finding;
}

// The contradiction for the row, or for a row of both layers, for the rows of
// the layers.
std::optional<Denial> denial_below(const JobReport& report,
                                   const RegionReport& region,
                                   const Metric& metric) {
  for (const Metric& each : all_metrics()) {
    if (each != metric && row_of_both_layers(each) != metric) continue;
    if (auto denial = denial_of(report, region, each)) return denial;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> main_finding(const JobReport& report) {
  const auto situation = situation_of(report);
  std::vector<Finding> findings;
  if (!situation) return findings;
  for (const Part part :
       {Part::kUseful, Part::kLoss, Part::kGain, Part::kRegion}) {
    const std::vector<std::string> words = said(sentences(part), *situation);
    if (words.empty()) continue;
    findings.push_back(finding_of(*situation, part));
    findings.back().sentence = fmt::format("{}", fmt::join(words, " "));
  }
  return findings;
}

std::string advice(const JobReport& report, const RegionReport& region,
                   const Metric& metric) {
  std::string text;
  if (const auto denial = denial_below(report, region, metric)) {
    text += fmt::format(
        "The models of this run do not agree: {}. {}. ", words_of(*denial),
        !denial->is_settled()
            ? "Compare them (poprt report --model all) before you change "
              "anything"
            : belief(*denial));
  }
  const bool is_mpi = metric.layer == Layer::kMpi ||
                      metric.key == std::string_view("transfer_efficiency");
  if (is_mpi && is_mostly_io(region.totals)) {
    text += fmt::format(
        "{} % of the time in MPI is MPI-IO: fewer and larger accesses, "
        "collective ones (MPI_File_write_all), fewer processes that write, "
        "hints and stripes of the file system. ",
        percent(io_share(region.totals)));
  }
  if (metric.layer == Layer::kOpenMp && is_mostly_serialised(region.totals)) {
    text += fmt::format(
        "{} % of what parallel regions lose is waits for locks, critical or "
        "ordered regions and dependences: make these shorter or rarer, use "
        "atomic or reduction, more locks, or data of each thread's own. ",
        percent(serialised_share(region.totals)));
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::optional<Metric> main_cause(const JobReport& report,
                                 const RegionReport& region) {
  if (is_red(report)) return std::nullopt;
  const auto loss = largest_loss(report, region);
  return loss ? std::optional(loss->metric) : std::nullopt;
}

std::string next_step(const JobReport& report, const std::string& run_file) {
  const auto situation = situation_of(report);
  if (!situation) return "";
  const std::string command = first_said(sentences(Part::kNext), *situation);
  return command.empty() ? "" : command + " " + shell_word(run_file);
}

}  // namespace poprt
