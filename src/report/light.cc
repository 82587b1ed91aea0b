#include "report/light.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "model/noted.h"
#include "model/quantities.h"
#include "report/core_use.h"

namespace poprt {
namespace {

// Of the causes that are said in full, in characters: the first lines of a
// report also have the finding.
constexpr size_t kMostInFull = 220;

bool is_of_unseen_openmp(const JobReport& report) {
  return report.totals.has_unseen_openmp;
}

bool is_of_gcc(const JobReport& report) {
  return is_of_unseen_openmp(report) &&
         std::ranges::any_of(report.totals.quality.notes,
                             is_noted<"openmp_of_gcc">);
}

constexpr Sentence<JobReport> kPleaseReport[] = {
    {"please_report", always, fixed<"Please report this with the run file.">}};
constexpr Sentence<JobReport> kRanks[] = {
    {"preload_all",
     [](const JobReport& report) {
       return report.totals.unmeasured_processes > 0;
     },
     fixed<"Preload poprt's library into every program of the job.">},
    {"let_it_end", always,
     fixed<"Let the job come to its end, or shorten POPRT_CHECKPOINT.">}};
// Most of what is not measured was in child processes.
bool is_of_children(const JobReport& report) {
  const auto& resources = report.totals.resources;
  return known_amount(resources, kChildrenCpu.name) >
         known_amount(resources, kUnknownThreadsCpu.name) +
             static_cast<double>(report.totals.quality.foreign_mpi_ns);
}

constexpr Sentence<JobReport> kThreads[] = {
    {"use_llvm", is_of_gcc,
     fixed<"To measure GCC's OpenMP, run it under LLVM's runtime: poprt run "
           "--omp=PATH (of its libomp.so).">},
    {"measure_all_threads",
     [](const JobReport& report) {
       return !is_of_unseen_openmp(report) &&
              !has_amount(report.totals.resources, kProgramThreads.name);
     },
     fixed<"POPRT_THREADS=all measures those that the program makes.">}};
constexpr Sentence<JobReport> kUnmeasured[] = {
    {"no_children", is_of_children,
     fixed<"Child processes are not measured: let ranks or threads do their "
           "work.">},
    kThreads[0],
    kThreads[1]};
static_assert(std::size(kUnmeasured) == std::size(kThreads) + 1);
constexpr Sentence<JobReport> kWhoseThreads[] = {
    {"of_children", is_of_children, fixed<", most of it in child processes">},
    {"of_openmp", is_of_unseen_openmp, fixed<" (OpenMP is not seen)">}};
constexpr Sentence<JobReport> kWhichOpenMp[] = {
    {"ended_openmp", openmp_has_ended,
     fixed<", since the program ended the other one">}};
constexpr Sentence<JobReport> kWhoseOverhead[] = {
    {"of_a_thread",
     [](const JobReport& report) {
       return overhead(report) > overhead_share(report);
     },
     fixed<" of the run time, on the thread where it took most">},
    {"of_core_time", always, fixed<" of the core time">}};
constexpr Sentence<JobReport> kOverhead[] = {
    {"measure_less", always,
     fixed<"Measure with fewer options and regions, or with more work between "
           "calls.">}};
constexpr Sentence<JobReport> kShort[] = {
    {"measure_longer", always, fixed<"Measure a longer run.">}};

bool is_any(const UnwrappedCall&) { return true; }

// The standard has it, and this poprt was built without.
bool is_newer(const UnwrappedCall& call) {
  return !call.is_wrapped && call.name.find("PIX_") == call.name.npos &&
         call.name.find("pix_") == call.name.npos;
}

bool is_past_poprt(const UnwrappedCall& call) { return call.is_wrapped; }

using IsOfCall = bool (*)(const UnwrappedCall&);

template <IsOfCall kIsWanted>
std::vector<std::string> called(const JobReport& report) {
  std::vector<std::string> names;
  for (const UnwrappedCall& call : report.totals.unwrapped_calls) {
    if (kIsWanted(call)) names.push_back(printable(call.name));
  }
  return names;
}

template <IsOfCall... kIsOne>
bool calls_each(const JobReport& report) {
  return (!called<kIsOne>(report).empty() && ...);
}

template <IsOfCall kIsWanted>
std::string calls(const JobReport& report) {
  return some_of(called<kIsWanted>(report), 4);
}

std::string names_of_calls(const JobReport& report) {
  return " (" + calls<is_any>(report) + ")";
}

std::string build_for_this_mpi(const JobReport& report) {
  return "Build this poprt or a newer one with this MPI to measure " +
         calls<is_newer>(report) + ".";
}

std::string open_without_deepbind(const JobReport& report) {
  return "Open the library that calls " + calls<is_past_poprt>(report) +
         " without RTLD_DEEPBIND.";
}

constexpr Sentence<JobReport> kCallNames[] = {
    {"call_names", always, names_of_calls}};
constexpr Sentence<JobReport> kMeasureCalls[] = {
    {"build_and_open", calls_each<is_newer, is_past_poprt>,
     [](const JobReport& report) {
       return build_for_this_mpi(report) + " " + open_without_deepbind(report);
     }},
    {"build_for_this_mpi", calls_each<is_newer>, build_for_this_mpi},
    {"open_without_deepbind", calls_each<is_past_poprt>,
     open_without_deepbind}};

constexpr CauseWords kWords[] = {
    {"missing_ranks",
     "nothing known of",
     "nothing is known of {}",
     nullptr,
     {},
     kRanks,
     /*says_all=*/false,
     nullptr,
     missing_rank_count},
    {"waited_for_core", "threads without a core",
     "for {} of the core time threads could have run but had no core",
     "how long threads waited for a core", kWhyNoCore, kHowToGetCores},
    {"unmeasured_threads", "unmeasured threads",
     "{} of all time that is known of is that of threads which are not "
     "measured",
     "how long threads worked that are not measured", kWhoseThreads,
     kUnmeasured},
    {"unmeasured_openmp", nullptr, nullptr,
     "what the threads did of an OpenMP runtime that tells tools nothing",
     kWhichOpenMp, kThreads, /*says_all=*/true},
    {"devices", "`target nowait`",
     "{} of the core time may have been waits for helper threads that worked "
     "for `target nowait`",
     "how long the run waited for accelerators"},
    {"overhead", "overhead", "poprt itself took about {}",
     "what measuring cost", kWhoseOverhead, kOverhead},
    {"lost_clocks", "lost clocks",
     "at least {} of the clocks that processes send each other did not come, "
     "so that serialisation and transfer are less exact",
     "how many clocks of other processes did not come, of all"},
    {"unwrapped_calls", "unmeasured MPI functions",
     "MPI functions to which the program refers and that poprt does not "
     "measure: {}",
     "whether the program refers to MPI functions that are not measured",
     kCallNames, kMeasureCalls},
    {"closure_error",
     "states off by",
     "the states of a thread differ from its elapsed time by {} of the run "
     "time",
     "whether states add up to elapsed times",
     {},
     kPleaseReport},
    {"out_of_range",
     "numbers out of range",
     "numbers outside of their range: {}",
     nullptr,
     {},
     kPleaseReport},
    {"not_ended",
     "not ended",
     "{} did not come to their end",
     nullptr,
     {},
     {},
     /*says_all=*/false,
     "no rank came to its end",
     not_ended_count},
    {"run_time_s", "run time", "the run is short ({})", nullptr, {}, kShort},
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

bool has_causes(const Judged& s, Light light, bool are_known) {
  return std::ranges::any_of(s.judgement.causes, [&](const FoundCause& found) {
    return found.light == light && std::isnan(found.value) != are_known;
  });
}

std::string words_of_unknown(const Judged& s) {
  std::vector<std::string> list;
  for (const FoundCause& found : s.judgement.causes) {
    if (found.light != s.light || !std::isnan(found.value)) continue;
    const CauseWords& words = words_for(found.cause);
    list.push_back(words.unknown +
                   (words.says_all ? first_said(words.endings, s.report) : ""));
  }
  return "not known: " + in_a_row(list, ", ") + ".";
}

constexpr Sentence<Judged> kUnknownCauses[] = {
    {"of_another_tool",
     [](const Judged& s) {
       return is_imported(s.report) && has_causes(s, s.light, false);
     },
     fixed<"another tool measured this run, and does not tell what else speaks "
           "against its numbers.">},
    {"not_known",
     [](const Judged& s) {
       return !is_imported(s.report) && has_causes(s, s.light, false);
     },
     words_of_unknown},
};

// In per cent, with as many digits as tell it from its limit.
std::string share_words(double value, double limit) {
  if (limit == 0 && value < kLeastShown) return "less than 0.1 %";
  std::string text = percent(value);
  for (int digits = 2; text == percent(limit) && digits < 9; ++digits) {
    const std::string more = fmt::format("{:.{}f}", 100 * value, digits);
    if (more != fmt::format("{:.{}f}", 100 * limit, digits)) text = more;
  }
  return text + " %";
}

// Likewise.
std::string time_words(double seconds, double limit) {
  const auto text = [](double s) { return duration(std::llround(1e9 * s)); };
  return text(seconds) == text(limit) ? fmt::format("{:.9f} s", seconds)
                                      : text(seconds);
}

std::string number_of(const JobReport& report, const FoundCause& found) {
  const CauseWords& words = words_for(found.cause);
  if (words.ranks != nullptr) {
    const RankCount ranks = words.ranks(report);
    return fmt::format("{} of {}", ranks.some, counted(ranks.all, "rank"));
  }
  switch (found.cause.unit) {
    case MetricUnit::kShare:
      return share_words(found.value, found.limit);
    case MetricUnit::kNumber:
      return time_words(found.value, found.limit);
    default:
      return fmt::format("{:.0f}", found.value);
  }
}

// With the limit that it is beyond, if that is more than none at all.
std::string number_and_limit(const JobReport& report, const FoundCause& found) {
  const std::string number = number_of(report, found);
  if (found.limit == 0) return number;
  switch (found.cause.unit) {
    case MetricUnit::kShare:
      return fmt::format("{} (limit {:.0f} %)", number, 100 * found.limit);
    case MetricUnit::kNumber:
      return fmt::format("{}, limit {:.0f} s", number, found.limit);
    default:
      return number;
  }
}

// What to do against a cause, unless that is said already.
void add_remedy(const JobReport& report, const CauseWords& words,
                std::vector<std::string>* sentences) {
  // Where another tool has measured nothing can be done here.
  if (is_imported(report)) return;
  const std::string remedy = first_said(words.remedies, report);
  if (!remedy.empty() &&
      std::ranges::find(*sentences, remedy) == sentences->end()) {
    sentences->push_back(remedy);
  }
}

std::vector<FoundCause> known_causes(const Judged& s) {
  std::vector<FoundCause> known;
  std::ranges::copy_if(s.judgement.causes, std::back_inserter(known),
                       [&](const FoundCause& found) {
                         return found.light == s.light &&
                                !std::isnan(found.value);
                       });
  return known;
}

void add_cause(const JobReport& report, const FoundCause& found,
               std::vector<std::string>* sentences) {
  sentences->push_back(words_of(report, found) + ".");
  add_remedy(report, words_for(found.cause), sentences);
}

size_t length_of(const std::vector<std::string>& sentences) {
  size_t length = 0;
  for (const std::string& each : sentences) length += each.size() + 1;
  return length;
}

// How many of the causes are said in full.
size_t count_in_full(const Judged& s) {
  const std::vector<FoundCause> known = known_causes(s);
  std::vector<std::string> sentences;
  size_t count = 0;
  for (; count < known.size(); ++count) {
    add_cause(s.report, known[count], &sentences);
    if (count > 0 && length_of(sentences) > kMostInFull) break;
  }
  return count;
}

std::string by_name(const Judged& s, std::span<const FoundCause> causes) {
  std::vector<std::string> list;
  for (const FoundCause& found : causes) {
    list.push_back(fmt::format("{} {}", words_for(found.cause).name,
                               number_of(s.report, found)));
  }
  return "more in the notes: " + in_a_row(list, ", ") + ".";
}

// Its causes, each with what to do, or from one on by name; empty if there are
// none.
std::string causes_text(const Judged& s, size_t in_full) {
  std::vector<std::string> sentences;
  const std::vector<FoundCause> known = known_causes(s);
  in_full = std::min(in_full, known.size());
  for (size_t i = 0; i < in_full; ++i) {
    add_cause(s.report, known[i], &sentences);
  }
  if (in_full < known.size()) {
    sentences.push_back(by_name(s, std::span(known).subspan(in_full)));
  }
  const std::string unknown = first_said(unknown_causes(), s);
  if (!unknown.empty()) sentences.push_back(unknown);
  for (const FoundCause& found : s.judgement.causes) {
    const CauseWords& words = words_for(found.cause);
    if (found.light == s.light && std::isnan(found.value) && words.says_all) {
      add_remedy(s.report, words, &sentences);
    }
  }
  for (size_t i = 1; i < sentences.size(); ++i) {
    sentences[i] = capitalised(std::move(sentences[i]));
  }
  return in_a_row(sentences, " ");
}

std::string shortened_causes(const Judged& s) {
  return causes_text(s, count_in_full(s));
}

constexpr Sentence<Judged> kFrame[] = {
    {"green", [](const Judged& s) { return s.light == Light::kGreen; },
     fixed<"nothing stands against these numbers.">},
    {"amber", [](const Judged& s) { return s.light == Light::kAmber; },
     shortened_causes},
    // Why, is the main finding.
    {"red", [](const Judged& s) { return s.light == Light::kRed; },
     fixed<"this run cannot be judged.">},
    {"besides",
     [](const Judged& s) {
       return s.light == Light::kRed && (has_causes(s, Light::kAmber, true) ||
                                         has_causes(s, Light::kAmber, false));
     },
     [](const Judged& s) {
       return "Besides, " +
              shortened_causes({s.report, s.judgement, Light::kAmber});
     }},
};

}  // namespace

std::span<const CauseWords> cause_words() { return kWords; }

std::string words_of(const JobReport& report, const FoundCause& found) {
  const CauseWords& words = words_for(found.cause);
  if (found.value == 1 && words.words_of_all != nullptr) {
    return words.words_of_all;
  }
  return fmt::format(fmt::runtime(words.words),
                     number_and_limit(report, found)) +
         first_said(words.endings, report);
}

std::span<const Sentence<Judged>> light_frame() { return kFrame; }

std::span<const Sentence<Judged>> unknown_causes() { return kUnknownCauses; }

FactList light_list(const JobReport& report) {
  const Judgement judgement = judge(report);
  const Light light = judgement.light;
  const Judged about = {report, judgement, light};
  FactList list;
  list.facts.push_back({"Light",
                        std::string(key_of(light)) + ": " +
                            in_a_row(said(light_frame(), about), " "),
                        light == Light::kRed     ? Grade::kPoor
                        : light == Light::kAmber ? Grade::kAttention
                                                 : Grade::kGood,
                        "", "light"});
  return list;
}

std::string red_sentence(const JobReport& report) {
  const Judgement judgement = judge(report);
  return "This run cannot be judged: " +
         causes_text({report, judgement, Light::kRed}, judgement.causes.size());
}

std::string short_red_sentence(const JobReport& report) {
  const Judgement judgement = judge(report);
  return "This run cannot be judged: " +
         shortened_causes({report, judgement, Light::kRed});
}

std::vector<std::string> causes_left_to_notes(const JobReport& report) {
  const Judgement judgement = judge(report);
  std::vector<std::string> notes;
  for (const Light light : {Light::kRed, Light::kAmber}) {
    const Judged about = {report, judgement, light};
    const std::vector<FoundCause> known = known_causes(about);
    for (size_t i = count_in_full(about); i < known.size(); ++i) {
      std::vector<std::string> sentences;
      add_cause(report, known[i], &sentences);
      notes.push_back(in_a_row(sentences, " "));
    }
  }
  return notes;
}

}  // namespace poprt
