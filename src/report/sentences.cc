#include "report/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "document/distinct_names.h"
#include "document/format.h"
#include "model/agreement.h"
#include "model/device_amounts.h"
#include "model/judge.h"
#include "model/quantities.h"
#include "report/core_time.h"
#include "report/core_use.h"
#include "report/culprits.h"
#include "report/denial.h"
#include "report/gain.h"
#include "report/light.h"
#include "report/loss_in_bars.h"
#include "report/meanings.h"

namespace poprt {
namespace {

bool lacks_cores(const JobReport& report) {
  return is_found(report, "waited_for_core");
}

// Whether time may be in no number, or useful time be a wait.
bool may_hide_time(const JobReport& report) {
  return std::ranges::any_of(judge(report).causes, [](const FoundCause& each) {
    const std::string_view key = each.cause.key;
    return key == "unmeasured_threads" || key == "unmeasured_openmp" ||
           (key == "waited_for_core" && std::isnan(each.value));
  });
}

// Nothing is worth a cause, and no time is in no number.
bool is_good(const Situation& s) {
  return !s.is_red && !s.hides_devices && !s.hides_ends && !s.is_much_lost &&
         !s.is_partly_measured && !may_hide_time(s.report);
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

// What of the loss may be time after the last checkpoints, where that is worth
// a word, as a share of the core time; else 0.
double last_part_of_loss(const Situation& s) {
  constexpr double kLeast = 0.1;
  if (!is_incomplete(s.report.context)) return 0;
  const double part = layer_times(s.global).absent;
  const double lost = s.loss->metric.value(s.global.losses);
  return part > kLeast * lost ? std::min(part, lost) : 0;
}

template <std::string (*kWho)(const JobReport&, const Metric&)>
std::string who(const Situation& s) {
  return kWho(s.report, s.loss->metric);
}

constexpr Sentence<Situation> kUsefulSentences[] = {
    {"red", [](const Situation& s) { return s.is_red; },
     [](const Situation& s) { return short_red_sentence(s.report); }},
    {"useful",
     [](const Situation& s) { return !s.is_red && !s.is_partly_measured; },
     [](const Situation& s) {
       return percent(s.useful) + " % of the core time was useful.";
     }},
    {"useful_measured",
     [](const Situation& s) { return !s.is_red && s.is_partly_measured; },
     [](const Situation& s) {
       return percent(s.useful) + " % of the measured core time was useful.";
     }},
};

constexpr Sentence<Situation> kLossSentences[] = {
    {"devices_unknown",
     [](const Situation& s) {
       return s.hides_devices && std::isnan(device_share(s.report));
     },
     fixed<"No loss is named: the program has a runtime of accelerators, and "
           "how much of the time was a wait for them is not known.">},
    {"devices",
     [](const Situation& s) {
       return s.hides_devices && !std::isnan(device_share(s.report));
     },
     [](const Situation& s) {
       return fmt::format(
           "No loss is named: none is larger than the {} that helper threads "
           "worked for `target nowait`, which may be what the others waited "
           "for.",
           duration(amount(s.report.totals.resources, kTargetOnHost.name)));
     }},
    {"ends", [](const Situation& s) { return s.hides_ends; },
     fixed<"No loss is named: most of it may be that the last checkpoints of "
           "the ranks were at different times.">},
    {"faster_code",
     [](const Situation& s) {
       return is_good(s) && !lacks_cores(s.report) && !has_slept(s.report);
     },
     fixed<"The largest gains now come from faster code on each core, or from "
           "more cores.">},
    {"slept",
     [](const Situation& s) {
       return is_good(s) && !lacks_cores(s.report) && has_slept(s.report);
     },
     [](const Situation& s) {
       return fmt::format(
           "In at least {} % of the useful time threads slept or waited "
           "outside "
           "MPI and OpenMP.",
           percent(slept_share(s.report)));
     }},
    {"core_for_each",
     [](const Situation& s) { return is_good(s) && lacks_cores(s.report); },
     fixed<"The largest gain now comes from a core for each thread.">},
    {"loss", [](const Situation& s) { return s.loss && !s.is_in_doubt; },
     [](const Situation& s) {
       return loss_words(s, meaning_of(s.report, s.global, *s.loss));
     }},
    {"loss_in_doubt",
     [](const Situation& s) { return s.loss && s.is_in_doubt; },
     [](const Situation& s) { return loss_words(s, kMayBeWaits); }},
    {"ends_of_loss",
     [](const Situation& s) { return s.loss && last_part_of_loss(s) > 0; },
     [](const Situation& s) {
       return fmt::format(
           "Up to {} points of it may be time after the last checkpoints of "
           "the ranks.",
           percent(last_part_of_loss(s)));
     }},
    {"slow_ranks", is_undisputed, who<slow_ranks>},
    {"slow_node", is_undisputed, who<slow_node>},
    {"slow_thread", is_undisputed, who<slow_thread>},
    {"heaviest_call", is_undisputed, who<heaviest_call>},
    {"parallel_region", is_undisputed, who<heaviest_parallel_region>},
    {"agreed", is_agreed,
     [](const Situation& s) {
       return agreement_words(s.global, s.loss->metric);
     }},
    {"denied", is_denied,
     [](const Situation& s) {
       return "The models do not agree on whose it is: " +
              words_of(*s.loss->denial) + ".";
     }},
    {"believed",
     [](const Situation& s) {
       return is_denied(s) && s.loss->denial->is_settled();
     },
     [](const Situation& s) { return belief(*s.loss->denial) + "."; }},
    {"sure", is_denied,
     [](const Situation& s) {
       return "Sure is what the bars show: " + lost_bars(s.report) + ".";
     }},
};

constexpr Sentence<Situation> kBarSentences[] = {
    {"in_bars", is_undisputed,
     [](const Situation& s) { return loss_in_bars(s.report, s.loss->metric); }},
    {"bars_wait",
     [](const Situation& s) {
       return s.loss && !s.loss->denial &&
              only_bars_wait(s.report, s.loss->metric);
     },
     fixed<"Most of it is waiting to the bars, and transfer to the model: "
           "partners may have been late by MPI, not by their work.">},
    {"bars_move_data",
     [](const Situation& s) {
       return s.loss && !s.loss->denial &&
              only_model_waits(s.report, s.loss->metric);
     },
     fixed<"Most of it is transfer to the bars, as is the wait of a send for "
           "its receiver.">},
};

constexpr Sentence<Situation> kGainSentences[] = {
    {"gain_at_most",
     [](const Situation& s) {
       return s.gain && s.gain->kind == Gain::Kind::kBound;
     },
     [](const Situation& s) {
       return gain_words(*s.gain, s.report.totals.has_devices);
     }},
    {"gain_about",
     [](const Situation& s) {
       return s.gain && s.gain->kind == Gain::Kind::kEstimate;
     },
     [](const Situation& s) {
       return gain_words(*s.gain, s.report.totals.has_devices);
     }},
    {"gain_not_known", [](const Situation& s) { return s.no_gain.has_value(); },
     [](const Situation& s) { return gain_words(*s.no_gain); }},
};

constexpr Sentence<Situation> kRegionSentences[] = {
    {"region",
     [](const Situation& s) { return s.region != nullptr && !s.region_loss; },
     [](const Situation& s) { return region_words(s) + "."; }},
    {"region_cause",
     [](const Situation& s) {
       return s.region_loss && !s.region_loss->denial && !is_io_of_region(s);
     },
     [](const Situation& s) { return region_cause(s) + "."; }},
    {"region_denied",
     [](const Situation& s) { return s.region_loss && s.region_loss->denial; },
     [](const Situation& s) {
       return region_cause(s) + ", in MPI or in OpenMP.";
     }},
    {"region_io", [](const Situation& s) { return is_io_of_region(s); },
     [](const Situation& s) { return region_cause(s) + ", which is MPI-IO."; }},
    {"region_without",
     [](const Situation& s) {
       return s.region != nullptr &&
              // All of the run, as it is written, is no bound.
              share_without(s.report, *s.region) <= 0.99 &&
              share_without(s.report, *s.region) > 0;
     },
     [](const Situation& s) {
       return fmt::format(
           "Sharing or speeding up its work would save at most {:.0f} % of the "
           "run time (the longest path without it).",
           std::ceil(100 * share_without(s.report, *s.region)));
     }},
};

constexpr Sentence<Situation> kNextSentences[] = {
    {"explain", [](const Situation& s) { return s.loss.has_value(); },
     [](const Situation& s) {
       return std::string("poprt explain ") + s.loss->metric.key;
     }},
};

}  // namespace

std::span<const Sentence<Situation>> sentences(Part part) {
  switch (part) {
    case Part::kUseful:
      return kUsefulSentences;
    case Part::kLoss:
      return kLossSentences;
    case Part::kGain:
      return kGainSentences;
    case Part::kRegion:
      return kRegionSentences;
    case Part::kBars:
      return kBarSentences;
    case Part::kNext:
      return kNextSentences;
  }
  return {};
}

}  // namespace poprt
