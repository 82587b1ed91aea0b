#include "measure/clock_message.h"

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

void ClockMessage::raise(const ClockEntry& entry, int capacity) {
  for (int i = 0; i < count; ++i) {
    ClockEntry& mine = entries[i];
    if (mine.region != entry.region) continue;
    mine.cue_ns = std::max(mine.cue_ns, entry.cue_ns);
    mine.com_ns = std::max(mine.com_ns, entry.com_ns);
    mine.coo_ns = std::max(mine.coo_ns, entry.coo_ns);
    mine.all_ns = std::max(mine.all_ns, entry.all_ns);
    return;
  }
  if (count >= capacity) {
    incomplete = 1;
    return;
  }
  entries[count++] = entry;
}

void merge(ClockMessage& into, const ClockMessage& from, int capacity) {
  into.incomplete |= from.incomplete;
  if (into.count == 0 && from.count <= capacity) {
    into.count = from.count;
    std::copy_n(from.entries, from.count, into.entries);
    return;
  }
  for (int i = 0; i < from.count; ++i) into.raise(from.entries[i], capacity);
}

}  // namespace poprt
