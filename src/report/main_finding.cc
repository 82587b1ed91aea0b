// Puts the sentences that are true together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>

#include "document/format.h"
#include "document/shell_word.h"
#include "model/largest_loss.h"
#include "model/metric_table.h"
#include "model/situation.h"
#include "report/advice.h"
#include "report/devices.h"
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

}  // namespace

namespace {

// What the devices lost most by, which is no part of the cores' loss.
void add_device_finding(const Situation& s, std::vector<Finding>* findings) {
  const DeviceFinding of_devices = device_finding(s.report);
  const std::string words = first_said(device_sentences(), of_devices);
  if (words.empty()) return;
  Finding& finding = findings->emplace_back();
  finding.sentence = words;
  finding.region = s.global.totals.name;
  finding.metric = of_devices.metric;
  finding.value = 1 - of_devices.lost;
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
  add_device_finding(*situation, &findings);
  return findings;
}

std::string loss_among_bars(const JobReport& report) {
  const auto situation = situation_of(report);
  if (!situation) return "";
  return fmt::format("{}",
                     fmt::join(said(sentences(Part::kBars), *situation), " "));
}

std::optional<MainCause> main_cause(const JobReport& report,
                                    const RegionReport& region) {
  const auto situation = situation_of(report);
  if (!situation) return std::nullopt;
  const auto loss = named_loss(*situation, region);
  if (!loss) return std::nullopt;
  return MainCause{loss->metric, situation->is_in_doubt
                                     ? kMayBeWaits
                                     : meaning_of(report, region, *loss)};
}

std::string next_step(const JobReport& report, const std::string& run_file) {
  const auto situation = situation_of(report);
  if (!situation) return "";
  const std::string command = first_said(sentences(Part::kNext), *situation);
  return command.empty() ? "" : command + " " + shell_word(run_file);
}

}  // namespace poprt
