#include "clocks/clock_message.h"

#include <algorithm>
#include <cstring>

namespace poprt {

ClockMessage::ClockMessage(const ClockMessage& other) { *this = other; }

ClockMessage& ClockMessage::operator=(const ClockMessage& other) {
  if (this != &other) {
    std::memcpy(static_cast<void*>(this), &other, other.bytes());
  }
  return *this;
}

namespace {

bool is_path(const ClockEntry& entry) {
  return entry.kind() == EntryKind::kPathPart;
}

// Raises the clocks of a region that the message has.  False: it has not.
inline bool raise_known(ClockMessage& message, const ClockEntry& entry) {
  for (int i = 0; i < message.count; ++i) {
    ClockEntry& mine = message.entries[i];
    if (mine.region != entry.region) continue;
    mine.raise(entry);
    return true;
  }
  return false;
}

// The entries from `begin` on.  Not inlined: messages nearly always have the
// same regions.
[[gnu::noinline]] void merge_from(int begin, ClockMessage& into,
                                  const ClockMessage& from, int capacity) {
  for (int i = begin; i < from.count; ++i) {
    into.raise(from.entries[i], capacity);
  }
}

}  // namespace

void ClockMessage::raise(const ClockEntry& entry, int capacity) {
  if (!raise_known(*this, entry)) append(entry, capacity);
}

void ClockMessage::append(const ClockEntry& entry, int capacity) {
  if (is_path(entry)) [[unlikely]] {
    if (!takes_path(entry)) return;
    if (capacity == kCapacity) capacity += PathEntry::kMost;
  } else if (count >= capacity) [[unlikely]] {
    capacity += parts_of_path();
  }
  if (count >= capacity) {
    incomplete = 1;
    return;
  }
  entries[count++] = entry;
}

int ClockMessage::parts_of_path() const {
  return static_cast<int>(std::count_if(entries, entries + count, is_path));
}

// Whether the entry belongs to the path that the message is to have.  Drops the
// parts of a shorter one.
bool ClockMessage::takes_path(const ClockEntry& entry) {
  ClockEntry* const end = entries + count;
  const ClockEntry* const mine = std::find_if(entries, end, is_path);
  if (mine == end) return true;
  const PathEntry known = PathEntry::of(*mine);
  const PathEntry other = PathEntry::of(entry);
  if (known.path == other.path) return true;
  // Of two that are equally long any will do, but always the same.
  if (known.all_ns > other.all_ns ||
      (known.all_ns == other.all_ns && known.path > other.path)) {
    return false;
  }
  count = static_cast<int32_t>(std::remove_if(entries, end, is_path) - entries);
  return true;
}

void merge(ClockMessage& into, const ClockMessage& from, int capacity) {
  into.incomplete |= from.incomplete;
  if (into.count == 0 && from.count <= capacity) {
    into.count = from.count;
    std::copy_n(from.entries, from.count, into.entries);
    return;
  }
  for (int i = 0; i < from.count; ++i) {
    if (!raise_known(into, from.entries[i])) [[unlikely]] {
      return merge_from(i, into, from, capacity);
    }
  }
}

}  // namespace poprt
