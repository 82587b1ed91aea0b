// What is said of a run, in tables: each sentence, or part of one, with the
// condition under which it is true.  Nobody else writes one.  A test asks for
// each key of each table for a run of which it is said and one of which it is
// not (sentences_test.cc).
#ifndef POPRT_REPORT_SENTENCE_H_
#define POPRT_REPORT_SENTENCE_H_

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "model/text.h"

namespace poprt {

template <class About>
struct Sentence {
  const char* key;  // of the test; in no table twice
  bool (*is_true)(const About&);
  // Never called where it is not true.  Empty: nothing is known of that.
  std::string (*words)(const About&);
};

// Words without numbers.
template <Text kText, class About>
std::string fixed(const About&) {
  return kText.value;
}

// Of the last words of several.
template <class About>
bool always(const About&) {
  return true;
}

// All that are true, in the order of the table.
template <class About>
std::vector<std::string> said(
    std::type_identity_t<std::span<const Sentence<About>>> table,
    const About& about) {
  std::vector<std::string> words;
  for (const Sentence<About>& each : table) {
    if (!each.is_true(about)) continue;
    words.push_back(each.words(about));
    if (words.back().empty()) words.pop_back();
  }
  return words;
}

// The first of them; empty if none is true.
template <class About>
std::string first_said(
    std::type_identity_t<std::span<const Sentence<About>>> table,
    const About& about) {
  for (const Sentence<About>& row : table) {
    if (!row.is_true(about)) continue;
    return row.words(about);
  }
  return "";
}

}  // namespace poprt

#endif  // POPRT_REPORT_SENTENCE_H_
