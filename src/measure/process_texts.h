// ProcessTexts: notes for the report, and what the program says of itself.
//
// Invariants:
//  1. Any thread may call at any time, also a signal handler that has
//     interrupted a call: then nothing is done.
//  2. If the program leaves a change in the middle (siglongjmp()), what there
//     was is not looked at any more, not even to be destroyed; the next change
//     begins anew.
//  3. No note is there twice; metadata are sorted by key, one of each.
#ifndef POPRT_MEASURE_PROCESS_TEXTS_H_
#define POPRT_MEASURE_PROCESS_TEXTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "model/totals.h"

namespace poprt {

class ProcessTexts {
 public:
  static constexpr size_t kMostNotes = 20;
  static constexpr size_t kMostMetadata = 64;

  ProcessTexts() = default;
  ProcessTexts(const ProcessTexts&) = delete;
  ProcessTexts& operator=(const ProcessTexts&) = delete;

  // More than kMostNotes are left out.
  void note(const std::string& line);
  // The words with the name in their place, unless there is a note that begins
  // like them.
  void note_first(std::string_view words, std::string_view name);

  // The last value of a key counts; an empty one removes the key.
  enum class Kept { kYes, kBusy, kFull, kNoMemory };
  Kept set_metadata(std::string_view key, std::string_view value);

  // Both, unless they cannot be read now.
  void copy_to(std::vector<Metadata>* metadata,
               std::vector<std::string>* notes) const;

 private:
  void forget_broken();
  template <class Change>
  bool change(Change change);

  mutable Mutex mutex_;
  // Protected by it.
  std::vector<std::string> notes_;
  std::vector<Metadata> metadata_;
  bool changing_ = false;  // a change is under way, or was left
};

}  // namespace poprt

#endif  // POPRT_MEASURE_PROCESS_TEXTS_H_
