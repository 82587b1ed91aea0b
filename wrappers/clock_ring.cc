#include "wrappers/clock_ring.h"

namespace poprt::mpi {
namespace {

using Line = ClockRing::Line;

// A record's entries begin in its first line and continue in the following
// lines.
constexpr size_t kHead =
    offsetof(Line, clocks) + offsetof(ClockRing::Clocks, first);

size_t lines_for(int32_t count) {
  const size_t bytes = kHead + static_cast<size_t>(count) * sizeof(ClockEntry);
  return (bytes + sizeof(Line) - 1) / sizeof(Line);
}

ClockEntry* entries_of(Line* record) {
  return reinterpret_cast<ClockEntry*>(reinterpret_cast<char*>(record) + kHead);
}
const ClockEntry* entries_of(const Line& record) {
  return reinterpret_cast<const ClockEntry*>(
      reinterpret_cast<const char*>(&record) + kHead);
}

}  // namespace

RingWriter::RingWriter(ClockRing* ring, size_t bytes)
    : ring_(ring), size_(ClockRing::lines_in(bytes)) {}

bool RingWriter::put(StreamKey key, const ClockMessage& clocks) {
  const bool small =
      clocks.incomplete == 0 && regions_.are_of(clocks) && can_pack(clocks);
  const size_t need = small ? 1 : lines_for(clocks.count);
  // A record never wraps around the end of the ring.
  const size_t skip = place_ + need > size_ ? size_ - place_ : 0;
  if (written_ + skip + need - read_ > size_) {
    read_ = ring_->read.load(std::memory_order_acquire);
    if (written_ + skip + need - read_ > size_) return false;
  }
  Line* const lines = ring_->lines();
  if (small) {
    pack(clocks, &lines[place_].packed);
    publish_packed(lines[place_], key, clocks.reply_tag);
    return true;
  }
  Line* const record = &lines[skip > 0 ? 0 : place_];
  record->key = key;
  record->reply_tag = clocks.reply_tag;
  regions_.learn(clocks);
  record->clocks.count = clocks.count;
  record->clocks.incomplete = clocks.incomplete;
  ClockEntry* const entries = entries_of(record);
  for (int i = 0; i < clocks.count; ++i) entries[i] = clocks.entries[i];
  record->lines.store(static_cast<uint32_t>(need), std::memory_order_release);
  if (skip > 0) {
    lines[place_].lines.store(ClockRing::kSkip, std::memory_order_release);
    advance(skip);
  }
  advance(need);
  return true;
}

RingReader::RingReader(ClockRing* ring, size_t bytes)
    : ring_(ring), size_(ClockRing::lines_in(bytes)) {}

const Line* RingReader::front() {
  Line* record = &ring_->lines()[place_];
  uint32_t lines = record->lines.load(std::memory_order_acquire);
  if (lines == ClockRing::kSkip) {
    record->lines.store(0, std::memory_order_relaxed);
    read_ += size_ - place_;
    place_ = 0;
    record = ring_->lines();
    lines = record->lines.load(std::memory_order_acquire);
  }
  return lines == 0 ? nullptr : record;
}

void RingReader::take(ClockMessage* clocks) {
  Line* const record = &ring_->lines()[place_];
  size_t lines = record->lines.load(std::memory_order_relaxed);
  clocks->reply_tag = record->reply_tag;
  if (lines == ClockRing::kPacked) {
    lines = 1;
    clocks->incomplete = 0;
    unpack(record->packed, regions_, clocks);
  } else {
    clocks->count = record->clocks.count;
    clocks->incomplete = record->clocks.incomplete;
    const ClockEntry* const entries = entries_of(*record);
    for (int i = 0; i < clocks->count; ++i) clocks->entries[i] = entries[i];
    regions_.learn(*clocks);
  }
  // A line that held data may be the first line of a record the next time.
  for (size_t i = 0; i < lines; ++i) {
    record[i].lines.store(0, std::memory_order_relaxed);
  }
  advance(lines);
}

}  // namespace poprt::mpi
