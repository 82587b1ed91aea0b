// Makes the sentences of the main finding, with the numbers of this run.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "document/format.h"
#include "document/shell_word.h"
#include "model/judge.h"
#include "model/metric_table.h"
#include "report/agreement.h"
#include "report/core_time.h"
#include "report/devices.h"
#include "report/findings.h"
#include "report/largest_loss.h"
#include "report/light.h"
#include "report/loss_in_bars.h"

namespace poprt {
namespace {

// Losses below this share of the core time are not worth a cause.
constexpr double kHardlyLost = 0.05;

// Sentences about the threads' time, which hold whichever model is right.
std::string what_is_sure(const JobReport& report, const Loss& loss) {
  return fmt::format(
      "The models do not agree on whose it is: {}. {}Sure is what the bars "
      "show: {}.",
      loss.denial->words,
      loss.denial->belief.empty() ? "" : loss.denial->belief + ". ",
      lost_bars(report));
}

// Whether other models say something of the row, and none contradicts it.
bool is_agreed(const JobReport& report, const Loss& loss) {
  return !loss.denial && is_of_program(loss.metric.layer) &&
         has_several_layers(report.totals) && !is_imported(report);
}

Finding finding_of(const JobReport& report, const RegionReport& region,
                   const Metric& metric, std::string sentence) {
  return {std::move(sentence),
          region.totals.name,
          std::string(key_of(metric.model)) + "." + metric.key,
          metric.value(region.metrics),
          metric.value(region.losses),
          advice(report, region, metric)};
}

bool lacks_cores(const JobReport& report) {
  return is_found(report, "waited_for_core");
}

// Whether waits for a core are as long as half of what was lost: in which row
// they are is not known.
bool may_be_lack_of_cores(const JobReport& report, double lost) {
  return lacks_cores(report) && 2 * waited_for_core(report) >= lost;
}

std::optional<Finding> loss_finding(const JobReport& report,
                                    const RegionReport& region) {
  const auto loss = largest_loss(report, region);
  if (!loss) return std::nullopt;
  const double lost = loss->metric.value(region.losses);
  const bool is_in_doubt = may_be_lack_of_cores(report, lost);
  std::string text = fmt::format(
      "The largest loss, {} %, is {} ({}): {}.", percent(lost),
      short_label(loss->metric), percent(loss->metric.value(region.metrics)),
      is_in_doubt ? "it may be waits for a core, so see to them first"
                  : loss->meaning);
  if (loss->denial) {
    text += " " + what_is_sure(report, *loss);
  } else if (!is_in_doubt) {
    if (const std::string bars = loss_in_bars(report, loss->metric);
        !bars.empty()) {
      text += " " + bars;
    }
    if (is_agreed(report, *loss)) text += " No other model contradicts it.";
  }
  return finding_of(report, region, loss->metric, std::move(text));
}

// The region with the largest loss, if any loss was seen.
std::optional<Finding> region_finding(const JobReport& report) {
  if (report.regions.size() < 2) return std::nullopt;
  const RegionReport& region = report.regions[1];
  const int64_t lost = lost_core_ns(region.totals);
  if (lost <= 0 || share_of_job(report, lost) < kLeastShown) {
    return std::nullopt;
  }
  std::string text =
      fmt::format("Region {} lost most: {}, {} % of the job",
                  shortened(printable(region.totals.name), 40),
                  core_seconds(lost), percent(share_of_job(report, lost)));
  const auto loss = largest_loss(report, region);
  if (!loss) return Finding{text + ".", region.totals.name};
  text += fmt::format(", first of all to {} ({})", short_label(loss->metric),
                      percent(loss->metric.value(region.metrics)));
  if (loss->denial) text += ", in MPI or in OpenMP";
  if (loss->metric.layer == Layer::kMpi && is_mpi_itself(loss->metric) &&
      is_mostly_io(region.totals)) {
    text += ", which is MPI-IO";
  }
  return finding_of(report, region, loss->metric, text + ".");
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
  const RegionReport* const global = global_region(report);
  if (global == nullptr || job_core_ns(report) <= 0) return {};
  if (is_red(report)) return {{red_sentence(report), global->totals.name}};
  const double useful = share_of_job(report, global->totals.useful_sum_ns);
  const bool unseen_openmp =
      report.totals.has_unseen_openmp && !report.totals.has_openmp;
  std::vector<Finding> findings;
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(std::move(*finding));
  };
  const auto say = [&](std::string sentence) {
    findings.push_back({std::move(sentence), global->totals.name});
  };
  say(fmt::format("{} % of the {}core time was useful.", percent(useful),
                  unseen_openmp ? "measured " : ""));
  findings.back().value = useful;
  if (const std::string devices = why_no_loss(report);
      !devices.empty() && !largest_loss(report, *global)) {
    say(devices);
  } else if (is_mostly_not_known(report, *global)) {
    say("No loss is named: most of it may be that the last checkpoints of the "
        "ranks were at different times.");
  } else if (1 - useful >= kHardlyLost) {
    add(loss_finding(report, *global));
    add(region_finding(report));
  } else if (!unseen_openmp) {
    say(lacks_cores(report) ? "The largest gain now comes from a core for each "
                              "thread."
                            : "The largest gains now come from faster code on "
                              "each core, or from more cores.");
  }
  return findings;
}

std::string advice(const JobReport& report, const RegionReport& region,
                   const Metric& metric) {
  std::string text;
  if (const auto denial = denial_below(report, region, metric)) {
    text += fmt::format(
        "The models of this run do not agree: {}. {}. ", denial->words,
        denial->belief.empty()
            ? "Compare them (poprt report --model all) before you change "
              "anything"
            : denial->belief);
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
  const RegionReport* const global = global_region(report);
  if (global == nullptr || job_core_ns(report) <= 0) return "";
  const double useful = share_of_job(report, global->totals.useful_sum_ns);
  const auto cause = main_cause(report, *global);
  if (!cause || 1 - useful < kHardlyLost) return "";
  return fmt::format("poprt explain {} {}", cause->key, shell_word(run_file));
}

}  // namespace poprt
