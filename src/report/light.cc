#include "report/light.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/quantities.h"
#include "report/core_use.h"

namespace poprt {
namespace {

using Text = std::string (*)(const JobReport&);

std::string no_text(const JobReport&) { return ""; }

// What is said of a cause.
struct CauseWords {
  std::string_view key;
  // With its number in place of "{}".
  const char* words;
  // Where that is not known.
  const char* unknown;
  Text ending = no_text;  // of the words
  Text remedy = no_text;  // what to do
  // Whether both are said also where the number is not known.
  bool says_all = false;
};

std::string please_report(const JobReport&) {
  return "Please report this with the run file.";
}

std::string let_it_end(const JobReport& report) {
  return report.totals.unmeasured_processes > 0
             ? "Preload poprt's library into every program of the job."
             : "Let the job come to its end, or shorten POPRT_CHECKPOINT.";
}

std::string measure_threads(const JobReport& report) {
  if (report.totals.has_unseen_openmp) {
    return openmp_has_ended(report)
               ? ""
               : "poprt run measures GCC's OpenMP through LLVM's runtime.";
  }
  return has_amount(report.totals.resources, kProgramThreads.name)
             ? ""
             : "POPRT_THREADS=all measures those that the program makes.";
}

constexpr CauseWords kWords[] = {
    {"missing_ranks", "nothing is known of {} of the ranks",
     "which ranks are missing", no_text, let_it_end},
    {"waited_for_core",
     "for {} of the core time threads could have run but had no core",
     "how long threads waited for a core", why_no_core, how_to_get_cores},
    {"unmeasured_threads",
     "{} of all time that is known of is that of threads which are not "
     "measured",
     "how long threads worked that are not measured",
     [](const JobReport& report) {
       return std::string(report.totals.has_unseen_openmp ? " (GCC's OpenMP)"
                                                          : "");
     },
     measure_threads},
    {"unmeasured_openmp", "{} of the time is of an OpenMP that is not measured",
     "what the threads did of an OpenMP runtime that tells tools nothing",
     [](const JobReport& report) {
       return std::string(openmp_has_ended(report)
                              ? ", since the program ended the other one"
                              : " (GCC's)");
     },
     measure_threads, /*says_all=*/true},
    {"devices",
     "{} of the core time may have been waits for helper threads that worked "
     "for `target nowait`",
     "how long the run waited for accelerators"},
    {"overhead", "poprt itself took about {} of the core time",
     "what measuring cost", no_text,
     [](const JobReport&) {
       return std::string(
           "Measure with fewer options and regions, or with more work between "
           "calls.");
     }},
    {"lost_clocks",
     "{} of the messages came without clocks, so that serialisation and "
     "transfer are less exact",
     "how many clocks were lost"},
    {"closure_error",
     "the states of a thread differ from its elapsed time by {} of the run "
     "time",
     "whether states add up to elapsed times", no_text, please_report},
    {"out_of_range", "numbers outside of their range: {}",
     "whether all numbers are in their range", no_text, please_report},
    {"not_ended", "{} of the ranks did not come to their end",
     "whether the run ended"},
    {"run_time_s", "the run is short ({})", "how long it ran", no_text,
     [](const JobReport&) { return std::string("Measure a longer run."); }},
};

const CauseWords& words_for(const Cause& cause) {
  return *std::ranges::find(kWords, std::string_view(cause.key),
                            &CauseWords::key);
}

std::string in_a_row(const std::vector<std::string>& parts,
                     std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

// Causes of this light and what to do; empty if there are none.
std::string causes_text(const JobReport& report, const Judgement& judgement,
                        Light light) {
  std::vector<std::string> known;
  std::vector<std::string> unknown;
  std::vector<std::string> remedies;
  for (const FoundCause& found : judgement.causes) {
    if (found.light != light) continue;
    const CauseWords& words = words_for(found.cause);
    if (std::isnan(found.value)) {
      if (!words.says_all) {
        unknown.push_back(words.unknown);
        continue;
      }
      unknown.push_back(words.unknown + words.ending(report));
    } else {
      known.push_back(words_of(report, found));
    }
    // Where another tool has measured nothing can be done here.
    if (is_imported(report)) continue;
    std::string remedy = words.remedy(report);
    if (!remedy.empty() &&
        std::ranges::find(remedies, remedy) == remedies.end()) {
      remedies.push_back(std::move(remedy));
    }
  }
  if (!unknown.empty()) {
    known.push_back(is_imported(report)
                        ? "another tool measured this run, and does not tell "
                          "what else speaks against its numbers"
                        : "not known: " + in_a_row(unknown, ", "));
  }
  if (known.empty()) return "";
  return in_a_row(known, "; ") + "." +
         (remedies.empty() ? "" : " " + in_a_row(remedies, " "));
}

// Its number with the limit that it is beyond.
std::string number_of(const FoundCause& found) {
  switch (found.cause.unit) {
    case MetricUnit::kShare:
      return percent(found.value) + " %" +
             (found.limit == 0
                  ? ""
                  : fmt::format(" (limit {:.0f} %)", 100 * found.limit));
    case MetricUnit::kNumber:
      return fmt::format("{}, limit {:.0f} s",
                         duration(std::llround(1e9 * found.value)),
                         found.limit);
    default:
      return fmt::format("{:.0f}", found.value);
  }
}

}  // namespace

std::string words_of(const JobReport& report, const FoundCause& found) {
  const CauseWords& words = words_for(found.cause);
  return fmt::format(fmt::runtime(words.words), number_of(found)) +
         words.ending(report);
}

FactList light_list(const JobReport& report) {
  const Judgement judgement = judge(report);
  std::string text = key_of(judgement.light);
  switch (judgement.light) {
    case Light::kGreen:
      text += ": nothing stands against these numbers.";
      break;
    case Light::kAmber:
      text += ": " + causes_text(report, judgement, Light::kAmber);
      break;
    case Light::kRed:
      text += ": this run cannot be judged.";
      // What is red is the main finding.
      if (std::string more = causes_text(report, judgement, Light::kAmber);
          !more.empty()) {
        text += " Besides, " + more;
      }
      break;
  }
  FactList list;
  list.facts.push_back({"Light", std::move(text),
                        judgement.light == Light::kRed     ? Grade::kPoor
                        : judgement.light == Light::kAmber ? Grade::kAttention
                                                           : Grade::kGood,
                        "", "light"});
  return list;
}

std::string red_sentence(const JobReport& report) {
  return "This run cannot be judged: " +
         causes_text(report, judge(report), Light::kRed);
}

}  // namespace poprt
