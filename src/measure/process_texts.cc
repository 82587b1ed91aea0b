#include "measure/process_texts.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "base/memory.h"
#include "model/noted.h"

namespace poprt {

// REQUIRES: mutex_ is held.
void ProcessTexts::forget_broken() {
  if (!changing_) return;
  new (&notes_) std::vector<std::string>;
  new (&metadata_) std::vector<Metadata>;
  changing_ = false;
}

// False: there was no memory for the change, and nothing has changed.
template <class Change>
bool ProcessTexts::change(Change change) {
  changing_ = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool done = attempt_with_memory(change);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  changing_ = false;
  return done;
}

void ProcessTexts::note(const std::string& line) {
  const MutexLock lock(mutex_);
  if (lock.held()) forget_broken();
  if (lock.held() && notes_.size() < kMostNotes &&
      std::find(notes_.begin(), notes_.end(), line) == notes_.end()) {
    change([&] { notes_.push_back(line); });
  }
}

void ProcessTexts::note_first(std::string_view words, std::string_view name) {
  const std::string_view beginning(words.data(), words.find("{}"));
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    const bool is_known = std::any_of(
        notes_.begin(), notes_.end(),
        [&](const std::string& line) { return line.starts_with(beginning); });
    if (is_known) return;
  }
  note(filled(words, {NoteValue(name)}));
}

ProcessTexts::Kept ProcessTexts::set_metadata(std::string_view key,
                                              std::string_view value) {
  const MutexLock lock(mutex_);
  if (!lock.held()) return Kept::kBusy;
  forget_broken();
  const auto place = std::lower_bound(
      metadata_.begin(), metadata_.end(), key,
      [](const Metadata& entry, std::string_view k) { return entry.key < k; });
  const bool known = place != metadata_.end() && place->key == key;
  const bool full =
      !known && !value.empty() && metadata_.size() >= kMostMetadata;
  const bool kept = change([&] {
    if (known && value.empty()) {
      metadata_.erase(place);
    } else if (known) {
      place->value = value;
    } else if (!value.empty() && !full) {
      metadata_.insert(place, {std::string(key), std::string(value), 0});
    }
  });
  if (!kept) return Kept::kNoMemory;
  return full ? Kept::kFull : Kept::kYes;
}

void ProcessTexts::copy_to(std::vector<Metadata>* metadata,
                           std::vector<std::string>* notes) const {
  const MutexLock lock(mutex_);
  if (!lock.held() || changing_) return;
  *metadata = metadata_;
  *notes = notes_;
}

}  // namespace poprt
