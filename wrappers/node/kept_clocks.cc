#include "wrappers/node/kept_clocks.h"

#include <cstring>

namespace poprt::mpi {
namespace {

constexpr size_t kEntryWords = sizeof(ClockEntry) / sizeof(uint64_t);
constexpr size_t kHeadWords = 2;

}  // namespace

void KeptClocks::add(uint64_t stream, const ClockMessage& clocks) {
  std::vector<uint64_t>& words = streams_[stream].words;
  const size_t begin = words.size();
  const size_t entry_words = static_cast<size_t>(clocks.count) * kEntryWords;
  words.resize(begin + kHeadWords + entry_words);
  words[begin] = uint64_t{static_cast<uint32_t>(clocks.count)} << 32 |
                 static_cast<uint32_t>(clocks.reply_tag);
  words[begin + 1] = static_cast<uint32_t>(clocks.incomplete);
  std::memcpy(words.data() + begin + kHeadWords, clocks.entries,
              entry_words * sizeof(uint64_t));
}

bool KeptClocks::take(uint64_t key, ClockMessage* clocks) {
  const auto place = streams_.find(key);
  if (place == streams_.end()) return false;
  Stream& stream = place->second;
  std::vector<uint64_t>& all = stream.words;
  const uint64_t* const words = &all[stream.begin];
  clocks->count = static_cast<int32_t>(words[0] >> 32);
  clocks->reply_tag = static_cast<int32_t>(words[0]);
  clocks->incomplete = static_cast<int32_t>(words[1]);
  const size_t entry_words = static_cast<size_t>(clocks->count) * kEntryWords;
  std::memcpy(static_cast<void*>(clocks->entries), words + kHeadWords,
              entry_words * sizeof(uint64_t));
  stream.begin += kHeadWords + entry_words;
  if (stream.begin == all.size()) {
    streams_.erase(place);
  } else if (2 * stream.begin > all.size()) {
    // Drops what has been taken, so that a stream that never becomes empty does
    // not grow.
    all.erase(all.begin(), all.begin() + static_cast<ptrdiff_t>(stream.begin));
    stream.begin = 0;
  }
  return true;
}

}  // namespace poprt::mpi
