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

using Words = std::string (*)(const JobReport&, double value);
using Remedy = std::string (*)(const JobReport&);

std::string nothing_to_do(const JobReport&) { return ""; }

// What is said of a cause: with its number, if that is not known, and what to
// do.
struct CauseWords {
  std::string_view key;
  Words words;
  Remedy unknown;
  Remedy remedy = nothing_to_do;
  // Whether that also helps where the number is not known.
  bool remedy_tells = false;
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
    {"missing_ranks",
     [](const JobReport&, double value) {
       return fmt::format("nothing is known of {} % of the ranks",
                          percent(value));
     },
     [](const JobReport&) { return std::string("which ranks are missing"); },
     let_it_end},
    {"waited_for_core",
     [](const JobReport& report, double value) {
       return fmt::format(
           "for {} % of the core time threads could have run but had no core{}",
           percent(value), why_no_core(report));
     },
     [](const JobReport&) {
       return std::string("how long threads waited for a core");
     },
     how_to_get_cores},
    {"unmeasured_threads",
     [](const JobReport& report, double value) {
       return fmt::format(
           "{} % of all time that is known of is that of threads which are not "
           "measured{}",
           percent(value),
           report.totals.has_unseen_openmp ? " (GCC's OpenMP)" : "");
     },
     [](const JobReport&) {
       return std::string("how long threads worked that are not measured");
     },
     measure_threads},
    {"unmeasured_openmp",
     [](const JobReport&, double value) {
       return fmt::format(
           "{} % of the time is of an OpenMP runtime that is "
           "not measured",
           percent(value));
     },
     [](const JobReport& report) {
       return std::string(
           openmp_has_ended(report)
               ? "what the threads of OpenMP did after the program had ended "
                 "its runtime"
               : "what the threads of GCC's OpenMP did");
     },
     measure_threads, /*remedy_tells=*/true},
    {"devices",
     [](const JobReport&, double value) {
       return fmt::format(
           "{} % of the core time may have been waits for helper threads that "
           "worked for `target nowait`",
           percent(value));
     },
     [](const JobReport&) {
       return std::string("how long the run waited for accelerators");
     }},
    {"overhead",
     [](const JobReport&, double value) {
       return fmt::format("poprt itself took about {} % of the core time",
                          percent(value));
     },
     [](const JobReport&) { return std::string("what measuring cost"); },
     [](const JobReport&) {
       return std::string(
           "Measure with fewer options and regions, or with more work between "
           "calls.");
     }},
    {"lost_clocks",
     [](const JobReport&, double value) {
       return fmt::format(
           "{} % of the messages came without clocks, so that serialisation "
           "and transfer are less exact",
           percent(value));
     },
     [](const JobReport&) { return std::string("how many clocks were lost"); }},
    {"closure_error",
     [](const JobReport&, double value) {
       return fmt::format(
           "the states of a thread differ from its elapsed time by {} % of the "
           "run time",
           percent(value));
     },
     [](const JobReport&) {
       return std::string("whether states add up to elapsed times");
     },
     please_report},
    {"out_of_range",
     [](const JobReport&, double value) {
       return value == 1 ? std::string("a number is outside of its range")
                         : fmt::format(
                               "{:.0f} numbers are outside of their "
                               "range",
                               value);
     },
     nothing_to_do, please_report},
    {"not_ended",
     [](const JobReport&, double value) {
       return value >= 1
                  ? std::string("the run did not come to its end")
                  : fmt::format("{} % of the ranks did not come to their end",
                                percent(value));
     },
     nothing_to_do},
    {"run_time_s",
     [](const JobReport&, double value) {
       return fmt::format("the run is shorter than 1 s ({})",
                          duration(std::llround(value * 1e9)));
     },
     [](const JobReport&) { return std::string("how long it ran"); },
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

// Causes and what to do, of this light or worse.
std::string causes_text(const JobReport& report, const Judgement& judgement,
                        Light least) {
  std::vector<std::string> known;
  std::vector<std::string> unknown;
  std::vector<std::string> remedies;
  for (const FoundCause& found : judgement.causes) {
    if (found.light < least) continue;
    const CauseWords& words = words_for(found.cause);
    if (std::isnan(found.value)) {
      unknown.push_back(words.unknown(report));
      if (!words.remedy_tells) continue;
    } else {
      known.push_back(words_of(report, found));
    }
    std::string remedy = words.remedy(report);
    const bool is_new = std::ranges::find(remedies, remedy) == remedies.end();
    // Where another tool has measured nothing can be done here.
    if (!remedy.empty() && is_new && !is_imported(report)) {
      remedies.push_back(std::move(remedy));
    }
  }
  if (!unknown.empty()) {
    known.push_back("not known: " + in_a_row(unknown, ", "));
  }
  return in_a_row(known, "; ") + "." +
         (remedies.empty() ? "" : " " + in_a_row(remedies, " "));
}

// " (limit 5 %)".
std::string limit_text(const FoundCause& found) {
  if (found.cause.unit != MetricUnit::kShare || found.limit == 0) return "";
  return fmt::format(" (limit {:.0f} %)", 100 * found.limit);
}

}  // namespace

std::string words_of(const JobReport& report, const FoundCause& found) {
  return words_for(found.cause).words(report, found.value) + limit_text(found);
}

FactList light_list(const JobReport& report) {
  const Judgement judgement = judge(report);
  std::string text = key_of(judgement.light);
  if (judgement.light == Light::kRed) {
    text += ": this run cannot be judged";
  }
  text += judgement.light == Light::kGreen
              ? ": nothing stands against these numbers."
              : ": " + causes_text(report, judgement, Light::kAmber);
  FactList list = {8};
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
