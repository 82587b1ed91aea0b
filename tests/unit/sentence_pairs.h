// Each sentence of a table is said of one run and not of another.
#ifndef POPRT_TESTS_UNIT_SENTENCE_PAIRS_H_
#define POPRT_TESTS_UNIT_SENTENCE_PAIRS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "model/job.h"
#include "report/sentence.h"

namespace poprt::test {

struct Pair {
  std::string key;
  JobReport with;
  std::string words;  // begin so
  JobReport without;
};

// The words with this key, if they are true.
template <class About>
std::string said_by(std::type_identity_t<std::span<const Sentence<About>>> rows,
                    const std::string& key, const About& about) {
  for (const Sentence<About>& each : rows) {
    if (each.key == key && each.is_true(about)) return each.words(about);
  }
  return "";
}

// Each key has a pair, and no pair another key.
template <class Said>
void expect_pairs(const std::vector<std::string>& keys,
                  const std::vector<Pair>& pairs, const Said& said) {
  std::set<std::string> seen;
  for (const std::string& key : keys) {
    EXPECT_TRUE(seen.insert(key).second) << key;
    const auto pair = std::ranges::find(pairs, key, &Pair::key);
    if (pair == pairs.end()) {
      ADD_FAILURE() << "no pair of reports for " << key;
      continue;
    }
    EXPECT_EQ(pair->words, said(pair->with, key).substr(0, pair->words.size()))
        << key;
    EXPECT_EQ("", said(pair->without, key)) << key;
  }
  EXPECT_EQ(seen.size(), pairs.size());
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_SENTENCE_PAIRS_H_
