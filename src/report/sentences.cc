#include "report/sentences.h"

#include <fmt/format.h>

#include <cmath>

#include "document/distinct_names.h"
#include "document/format.h"
#include "model/judge.h"
#include "model/quantities.h"
#include "report/core_time.h"
#include "report/culprits.h"
#include "report/devices.h"
#include "report/gain.h"
#include "report/light.h"
#include "report/loss_in_bars.h"

namespace poprt {
namespace {

// Losses below this share of the core time are not worth a cause.
constexpr double kHardlyLost = 0.05;

// Of a region: less is not worth a sentence.
constexpr double kLittleOfJob = 0.01;

bool lacks_cores(const JobReport& report) {
  return is_found(report, "waited_for_core");
}

// Whether waits for a core are as long as half of what was lost: in which row
// they are is not known.
bool may_be_lack_of_cores(const JobReport& report, double lost) {
  return lacks_cores(report) && 2 * waited_for_core(report) >= lost;
}

bool is_much_lost(const Situation& s) { return 1 - s.useful >= kHardlyLost; }

bool hides_devices(const Situation& s) {
  return !s.is_red && !why_no_loss(s.report).empty() &&
         !largest_loss(s.report, s.global);
}

// Ranks of which different parts are known.
bool hides_ends(const Situation& s) {
  return !s.is_red && !hides_devices(s) &&
         is_mostly_not_known(s.report, s.global);
}

// Nothing is worth a cause, and no time is in no number.
bool is_good(const Situation& s) {
  return !s.is_red && !hides_devices(s) && !hides_ends(s) && !is_much_lost(s) &&
         !s.has_unseen_openmp;
}

// It is named, and nothing speaks against it.
bool is_undisputed(const Situation& s) {
  return s.loss && !s.is_in_doubt && !s.loss->denial;
}

bool is_denied(const Situation& s) { return s.loss && s.loss->denial; }

// Whether other models say something of the row.
bool is_agreed(const Situation& s) {
  return is_undisputed(s) && is_of_program(s.loss->metric.layer) &&
         has_several_layers(s.report.totals) && !is_imported(s.report);
}

std::string loss_words(const Situation& s, const std::string& meaning) {
  const Metric& metric = s.loss->metric;
  return fmt::format("The largest loss, {} %, is {} ({}): {}.",
                     percent(metric.value(s.global.losses)),
                     short_label(metric),
                     percent(metric.value(s.global.metrics)), meaning);
}

bool is_io_of_region(const Situation& s) {
  return s.region_loss && s.region_loss->metric.layer == Layer::kMpi &&
         is_mpi_itself(s.region_loss->metric) && is_mostly_io(s.region->totals);
}

// As tables have it: other regions may begin and end alike.
std::string name_of_region(const Situation& s) {
  std::vector<std::string> names = {printable(s.region->totals.name)};
  for (const RegionReport& each : s.report.regions) {
    if (&each != s.region) names.push_back(printable(each.totals.name));
  }
  return distinct_names(names, 40).front();
}

std::string region_words(const Situation& s) {
  const int64_t lost = lost_core_ns(s.region->totals);
  return fmt::format("Region {} lost most: {}, {} % of the job",
                     name_of_region(s), core_seconds(lost),
                     percent(share_of_job(s.report, lost)));
}

std::string region_cause(const Situation& s) {
  const Metric& metric = s.region_loss->metric;
  return fmt::format("{}, first of all to {} ({})", region_words(s),
                     short_label(metric),
                     percent(metric.value(s.region->metrics)));
}

template <std::string (*kWho)(const JobReport&, const Metric&)>
std::string who(const Situation& s) {
  return kWho(s.report, s.loss->metric);
}

constexpr Sentence kSentences[] = {
    {"red", Part::kUseful, [](const Situation& s) { return s.is_red; },
     [](const Situation& s) { return red_sentence(s.report); }},
    {"useful", Part::kUseful,
     [](const Situation& s) { return !s.is_red && !s.has_unseen_openmp; },
     [](const Situation& s) {
       return percent(s.useful) + " % of the core time was useful.";
     }},
    {"useful_measured", Part::kUseful,
     [](const Situation& s) { return !s.is_red && s.has_unseen_openmp; },
     [](const Situation& s) {
       return percent(s.useful) + " % of the measured core time was useful.";
     }},
    {"devices", Part::kLoss, hides_devices,
     [](const Situation& s) { return why_no_loss(s.report); }},
    {"ends", Part::kLoss, hides_ends,
     [](const Situation&) {
       return std::string(
           "No loss is named: most of it may be that the last checkpoints of "
           "the ranks were at different times.");
     }},
    {"faster_code", Part::kLoss,
     [](const Situation& s) { return is_good(s) && !lacks_cores(s.report); },
     [](const Situation&) {
       return std::string(
           "The largest gains now come from faster code on each core, or from "
           "more cores.");
     }},
    {"core_for_each", Part::kLoss,
     [](const Situation& s) { return is_good(s) && lacks_cores(s.report); },
     [](const Situation&) {
       return std::string(
           "The largest gain now comes from a core for each thread.");
     }},
    {"loss", Part::kLoss,
     [](const Situation& s) { return s.loss && !s.is_in_doubt; },
     [](const Situation& s) { return loss_words(s, s.loss->meaning); }},
    {"loss_in_doubt", Part::kLoss,
     [](const Situation& s) { return s.loss && s.is_in_doubt; },
     [](const Situation& s) {
       return loss_words(s, "it may be waits for a core, so see to them first");
     }},
    {"slow_ranks", Part::kLoss, is_undisputed, who<slow_ranks>},
    {"slow_node", Part::kLoss, is_undisputed, who<slow_node>},
    {"slow_thread", Part::kLoss, is_undisputed, who<slow_thread>},
    {"heaviest_call", Part::kLoss, is_undisputed, who<heaviest_call>},
    {"parallel_region", Part::kLoss, is_undisputed,
     who<heaviest_parallel_region>},
    {"in_bars", Part::kLoss, is_undisputed,
     [](const Situation& s) { return loss_in_bars(s.report, s.loss->metric); }},
    {"agreed", Part::kLoss, is_agreed,
     [](const Situation&) {
       return std::string("No other model contradicts it.");
     }},
    {"denied", Part::kLoss, is_denied,
     [](const Situation& s) {
       return "The models do not agree on whose it is: " +
              s.loss->denial->words + ".";
     }},
    {"believed", Part::kLoss,
     [](const Situation& s) {
       return is_denied(s) && !s.loss->denial->belief.empty();
     },
     [](const Situation& s) { return s.loss->denial->belief + "."; }},
    {"sure", Part::kLoss, is_denied,
     [](const Situation& s) {
       return "Sure is what the bars show: " + lost_bars(s.report) + ".";
     }},
    {"gain_at_most", Part::kGain,
     [](const Situation& s) {
       return s.gain && s.gain->kind == Gain::Kind::kBound;
     },
     [](const Situation& s) { return gain_words(*s.gain); }},
    {"gain_about", Part::kGain,
     [](const Situation& s) {
       return s.gain && s.gain->kind == Gain::Kind::kEstimate;
     },
     [](const Situation& s) { return gain_words(*s.gain); }},
    {"gain_not_known", Part::kGain,
     [](const Situation& s) { return s.no_gain.has_value(); },
     [](const Situation& s) { return gain_words(*s.no_gain); }},
    {"region", Part::kRegion,
     [](const Situation& s) { return s.region != nullptr && !s.region_loss; },
     [](const Situation& s) { return region_words(s) + "."; }},
    {"region_cause", Part::kRegion,
     [](const Situation& s) {
       return s.region_loss && !s.region_loss->denial && !is_io_of_region(s);
     },
     [](const Situation& s) { return region_cause(s) + "."; }},
    {"region_denied", Part::kRegion,
     [](const Situation& s) { return s.region_loss && s.region_loss->denial; },
     [](const Situation& s) {
       return region_cause(s) + ", in MPI or in OpenMP.";
     }},
    {"region_io", Part::kRegion,
     [](const Situation& s) { return is_io_of_region(s); },
     [](const Situation& s) { return region_cause(s) + ", which is MPI-IO."; }},
    {"region_without", Part::kRegion,
     [](const Situation& s) {
       return s.region != nullptr &&
              // All of the run, as it is written, is no bound.
              share_without(s.report, *s.region) <= 0.99;
     },
     [](const Situation& s) {
       return fmt::format(
           "Sharing or speeding up its work would save at most {:.0f} % of the "
           "run time (the longest path without it).",
           std::ceil(100 * share_without(s.report, *s.region)));
     }},
};

}  // namespace

Situation situation_of(const JobReport& report) {
  const RegionReport& global = *global_region(report);
  Situation s = {report, global};
  s.is_red = is_red(report);
  if (s.is_red) return s;
  s.useful = share_of_job(report, global.totals.useful_sum_ns);
  s.has_unseen_openmp =
      report.totals.has_unseen_openmp && !report.totals.has_openmp;
  if (hides_devices(s) || hides_ends(s) || !is_much_lost(s)) return s;
  s.loss = largest_loss(report, global);
  if (s.loss) {
    const FoundGain found = gain_of(report, s.loss->metric);
    if (const Gain* const gain = std::get_if<Gain>(&found)) {
      s.gain = *gain;
    } else {
      s.no_gain = std::get<NoGain>(found);
    }
    s.is_in_doubt =
        may_be_lack_of_cores(report, s.loss->metric.value(global.losses));
  }
  if (report.regions.size() < 2) return s;
  const RegionReport& region = report.regions[1];
  const int64_t lost = lost_core_ns(region.totals);
  if (share_of_job(report, lost) < kLittleOfJob) return s;
  s.region = &region;
  s.region_loss = largest_loss(report, region);
  return s;
}

std::span<const Sentence> sentences() { return kSentences; }

}  // namespace poprt
