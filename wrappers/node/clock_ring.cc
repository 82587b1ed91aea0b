#include "wrappers/node/clock_ring.h"

#include <algorithm>

#include "measure/process.h"

namespace poprt::mpi {
namespace {

using Line = ClockRing::Line;

// Where the entries of kClocks and kAllClocks begin in the first line.  They
// continue in the following lines.
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

bool RingWriter::put(StreamKey key, const ClockMessage& clocks,
                     const SentClocks* all) {
  if (all != nullptr && !all->thread->knows_changes()) all = nullptr;
  const bool small =
      clocks.incomplete == 0 && regions_.are_of(clocks) && can_pack(clocks);
  const size_t need = small ? 1 : lines_for(clocks.count);
  // Invariant 4.
  const size_t skip = place_ + need > size_ ? size_ - place_ : 0;
  if (written_ + skip + need - read_ > size_ && !look_for_room(skip + need)) {
    return false;
  }
  Line* const lines = ring_->lines();
  if (small) {
    pack(clocks, &lines[place_].packed);
    publish_packed(lines[place_], key, clocks.reply_tag);
    return true;
  }
  Line* const record = &lines[skip > 0 ? 0 : place_];
  begin_long(*record, need);
  record->key = key;
  record->reply_tag = clocks.reply_tag;
  regions_.learn(clocks);
  record->clocks.count = clocks.count;
  record->clocks.incomplete = clocks.incomplete;
  ClockEntry* const entries = entries_of(record);
  for (int i = 0; i < clocks.count; ++i) entries[i] = clocks.entries[i];
  record->publish(all == nullptr ? RecordKind::kClocks : RecordKind::kAllClocks,
                  need);
  end_long();
  if (skip > 0) {
    lines[place_].publish(RecordKind::kSkip);
    advance(skip);
  }
  advance(need);
  if (all != nullptr) has_all(*all);
  return true;
}

namespace {

// The lines of a kChanged with so many entries.
size_t lines_of_changed(int count) {
  return count > KnownRegions::kMost ? 2 : 1;
}
static_assert(offsetof(Line, packed) + 2 * sizeof(PackedClocks) <=
              2 * sizeof(Line));

}  // namespace

bool RingWriter::has_room(size_t lines) {
  if (place_ + lines > size_) return false;
  return written_ + lines - read_ <= size_ || look_for_room(lines);
}

bool RingWriter::look_for_room(size_t lines) {
  if (begun_ != nullptr) [[unlikely]] {
    for (size_t i = 1; i < begun_lines_; ++i) {
      begun_[i].clear();
    }
    begun_ = nullptr;
  }
  read_ = ring_->read.load(std::memory_order_acquire);
  return written_ + lines - read_ <= size_;
}

// A signal handler of the program may leave the call by siglongjmp() before
// end_long().  The next record may then be shorter, and the reader would take
// what this one has left in further lines for a record.  So until end_long()
// `read_` says that the ring is full.  The next record then comes to
// look_for_room(), which clears the further lines.
void RingWriter::begin_long(Line& record, size_t lines) {
  begun_lines_ = lines;
  read_before_ = read_;
  begun_ = &record;
  read_ = written_ - size_;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void RingWriter::end_long() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  begun_ = nullptr;
  read_ = read_before_;
}

bool RingWriter::put_changed(StreamKey key, Thread& thread) {
  const SentClocks now = thread.sent_now();
  const int most = thread.most_changed(sent_);
  if (!has_room(lines_of_changed(most))) return false;
  Line& record = ring_->lines()[place_];
  const bool is_long = lines_of_changed(most) > 1;
  if (is_long) begin_long(record, lines_of_changed(most));
  const ChangedRegions changed =
      thread.pack_changed(sent_, most, record.entries());
  const int count = changed.count();
  // No end_long() before a return, because further lines may have been written.
  if (count == 0) return false;
  for (int i = 0; i < count; ++i) {
    if (changed.slot(i) < named_) continue;
    // A new region: all clocks must go, and then its name.
    sent_ = {};
    return false;
  }
  record.key = key;
  record.regions = changed.word();
  record.publish(RecordKind::kChanged);
  if (is_long) end_long();
  advance(lines_of_changed(count));
  sent_ = now;
  return true;
}

void RingWriter::has_all(const SentClocks& all) {
  const Process& process = all.thread->process();
  const int count = process.regions_to_send();
  if (named_ < count) {
    put_names(process);
    // The reader keeps all clocks only if they come after the names.
    sent_ = {};
    return;
  }
  sent_ = all;
}

void RingWriter::put_names(const Process& process) {
  const int count = process.regions_to_send();
  while (named_ < count && has_room(1)) {
    Line& record = ring_->lines()[place_];
    ClockRing::Names& names = record.names;
    names.first = named_;
    names.count = std::min(count - named_, ClockRing::Names::kMost);
    for (int i = 0; i < names.count; ++i) {
      names.keys[i] = process.region(named_ + i).key();
    }
    named_ += names.count;
    record.publish(RecordKind::kNames);
    advance(1);
  }
}

RingReader::RingReader(ClockRing* ring, size_t bytes)
    : ring_(ring), size_(ClockRing::lines_in(bytes)) {}

const Line* RingReader::front() {
  for (;;) {
    Line* const record = &ring_->lines()[place_];
    const RecordKind kind = record->head.load(std::memory_order_acquire).kind();
    if (kind == RecordKind::kNothing) return nullptr;
    if (kind == RecordKind::kSkip) {
      record->clear();
      read_ += size_ - place_;
      place_ = 0;
    } else if (kind == RecordKind::kNames) {
      learn(record->names);
      clear(record, 1);
    } else {
      return record;
    }
  }
}

void RingReader::learn(const ClockRing::Names& names) {
  const auto first = static_cast<size_t>(names.first);
  const auto end = first + static_cast<size_t>(names.count);
  if (named_.size() < end) named_.resize(end);
  for (size_t slot = first; slot < end; ++slot) {
    named_[slot] = {names.keys[slot - first], NamedRegion::kUnknown};
  }
}

void RingReader::find_slots(Process& process) {
  for (size_t slot = 0; slot < named_.size(); ++slot) {
    NamedRegion& its = named_[slot];
    if (its.likely_slot != NamedRegion::kUnknown || its.key == 0) continue;
    its.likely_slot = static_cast<int16_t>(
        process.slot_of_key(its.key, static_cast<int>(slot)));
  }
}

void RingReader::keep(const ClockEntry& entry) {
  const auto known = std::find_if(
      kept_.begin(), kept_.end(),
      [&](const ClockEntry& other) { return other.region == entry.region; });
  if (known == kept_.end()) return kept_.push_back(entry);
  known->raise(entry);
}

size_t RingReader::read_changed(Line& record, bool follows,
                                ClockMessage* clocks) {
  const ChangedRegions changed = ChangedRegions::of_word(record.regions);
  unpack(changed, record.entries(), clocks,
         [&](int slot) { return named_[static_cast<size_t>(slot)]; });
  const int count = clocks->count;
  for (int i = 0; i < count; ++i) {
    if (changed.rests(i)) keep(clocks->entries[i]);
  }
  if (follows) return lines_of_changed(count);
  for (const ClockEntry& entry : kept_) {
    clocks->raise(entry, ClockMessage::kCapacity);
  }
  return lines_of_changed(count);
}

bool RingReader::take_changed(ClockMessage* clocks, const Thread& thread) {
  const Follower follower(thread);
  if (follower_ != follower) find_slots(thread.process());
  Line& record = ring_->lines()[place_];
  const size_t lines = read_changed(record, follower_ == follower, clocks);
  follower_ = follower;
  clear(&record, lines);
  return true;
}

// A further line of this record may be the first line of a later one.
void RingReader::clear(Line* record, size_t lines) {
  for (size_t i = 0; i < lines; ++i) {
    record[i].clear();
  }
  advance(lines);
}

void RingReader::take(ClockMessage* clocks) {
  Line* const record = &ring_->lines()[place_];
  const RecordHead head = record->head.load(std::memory_order_relaxed);
  if (head.kind() == RecordKind::kChanged) {
    follower_ = {};
    return clear(record, read_changed(*record, false, clocks));
  }
  clocks->reply_tag = record->reply_tag;
  if (head.kind() == RecordKind::kPacked) {
    clocks->incomplete = 0;
    unpack(record->packed, regions_, clocks);
    return clear(record, 1);
  }
  clocks->count = record->clocks.count;
  clocks->incomplete = record->clocks.incomplete;
  const ClockEntry* const entries = entries_of(*record);
  for (int i = 0; i < clocks->count; ++i) clocks->entries[i] = entries[i];
  regions_.learn(*clocks);
  if (head.kind() == RecordKind::kAllClocks && !named_.empty()) {
    kept_.assign(entries, entries + clocks->count);
    follower_ = {};
  }
  clear(record, head.lines());
}

}  // namespace poprt::mpi
