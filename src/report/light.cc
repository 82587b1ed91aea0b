#include "report/light.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
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
  // Instead of "100.0 %".
  const char* words_of_all = nullptr;
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
     "whether the run ended", no_text, no_text, /*says_all=*/false,
     "no rank came to its end"},
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

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

// Causes of this light, each with what to do; empty if there are none.
std::string causes_text(const JobReport& report, const Judgement& judgement,
                        Light light) {
  std::vector<std::string> sentences;
  std::vector<std::string> unknown;
  std::vector<std::string> remedies;
  // Where another tool has measured nothing can be done here.
  const auto add_remedy = [&](const CauseWords& words) {
    if (is_imported(report)) return;
    const std::string remedy = words.remedy(report);
    if (remedy.empty() ||
        std::ranges::find(remedies, remedy) != remedies.end()) {
      return;
    }
    remedies.push_back(remedy);
    sentences.push_back(remedy);
  };
  for (const FoundCause& found : judgement.causes) {
    if (found.light != light || std::isnan(found.value)) continue;
    sentences.push_back(words_of(report, found) + ".");
    add_remedy(words_for(found.cause));
  }
  for (const FoundCause& found : judgement.causes) {
    if (found.light != light || !std::isnan(found.value)) continue;
    const CauseWords& words = words_for(found.cause);
    unknown.push_back(words.unknown +
                      (words.says_all ? words.ending(report) : ""));
  }
  if (!unknown.empty()) {
    sentences.push_back(
        is_imported(report)
            ? "another tool measured this run, and does not tell what else "
              "speaks against its numbers."
            : "not known: " + in_a_row(unknown, ", ") + ".");
  }
  for (const FoundCause& found : judgement.causes) {
    const CauseWords& words = words_for(found.cause);
    if (found.light == light && std::isnan(found.value) && words.says_all) {
      add_remedy(words);
    }
  }
  for (size_t i = 1; i < sentences.size(); ++i) {
    sentences[i] = capitalised(std::move(sentences[i]));
  }
  return in_a_row(sentences, " ");
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
  if (found.value == 1 && words.words_of_all != nullptr) {
    return words.words_of_all;
  }
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
