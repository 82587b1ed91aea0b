// The light in words: why a run is to be judged with care, or not at all, and
// what to do that this machine can do.
#ifndef POPRT_REPORT_LIGHT_H_
#define POPRT_REPORT_LIGHT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "model/judge.h"
#include "report/sentence.h"

namespace poprt {

// What is said of a cause of the light.
struct CauseWords {
  std::string_view key;
  const char* name;  // before its number, in a list; nullptr: it never has one
  // With its number in place of "{}"; nullptr: it never has one.
  const char* words;
  // Where that is not known, as part of a list; nullptr: it always is.
  const char* unknown;
  // Of each the first that is true: the end of the words, and what to do.
  std::span<const Sentence<JobReport>> endings = {};
  std::span<const Sentence<JobReport>> remedies = {};
  // Whether both are said also where the number is not known.
  bool says_all = false;
  // Instead of all of them.
  const char* words_of_all = nullptr;
  // The ranks of which the number is the share: "1 of 4096 ranks".
  RankCount (*ranks)(const JobReport&) = nullptr;
};

// A judgement, and the light whose causes are to be said.
struct Judged {
  const JobReport& report;
  const Judgement& judgement;
  Light light;
};

// Of each cause of the judge.
std::span<const CauseWords> cause_words();

// What is said of the light besides its causes, and of those of its causes that
// are not known.
std::span<const Sentence<Judged>> light_frame();
std::span<const Sentence<Judged>> unknown_causes();

// The cause as part of a sentence, with its number and the limit that it is
// beyond. REQUIRES: its value is known.
std::string words_of(const JobReport& report, const FoundCause& found);

// The light with all its causes and what to do about them.
FactList light_list(const JobReport& report);

// Of a red light: that this run cannot be judged, why, and what to do.
std::string red_sentence(const JobReport& report);
// For the first lines of a report: of many causes some are only named there.
std::string short_red_sentence(const JobReport& report);

// The causes that the first lines only name, in full.
std::vector<std::string> causes_left_to_notes(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_LIGHT_H_
