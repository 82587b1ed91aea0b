// ClockRing: a ring of cache lines in shared memory, which carries the clocks
// of messages from one process (the writer) to another one on the same node
// (the reader).  The writer writes the clocks before it sends the program's
// message, so they are there when the reader has received that message.  No
// class here is thread-safe.
//
// With many regions the writer sends all clocks once, and from then on only
// those that have changed since the record before (changed_clocks.h).  The
// reader keeps all clocks for threads that have not merged all records before.
//
// Invariants:
//  1. A line is free (its first word is 0), the first line of a record, or a
//     further line of a record.
//  2. The writer writes the first word of a record last, and the reader reads
//     this word first.  So whoever sees a RecordHead sees the whole record.
//  3. The reader frees each line that it has read.
//  4. No record wraps around the end of the ring.
#ifndef POPRT_WRAPPERS_NODE_CLOCK_RING_H_
#define POPRT_WRAPPERS_NODE_CLOCK_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clocks/changed_clocks.h"
#include "clocks/packed_clocks.h"
#include "measure/sent_clocks.h"
#include "measure/thread.h"

namespace poprt::mpi {

// The stream of a message between two processes: the communicator, by its
// number on the node, and the tag.
struct StreamKey {
  uint32_t comm;
  int32_t tag;
  bool operator==(const StreamKey&) const = default;
};

enum class RecordKind : uint8_t {
  kNothing,
  kClocks,     // entries with the keys of their regions
  kAllClocks,  // the same, and all clocks of a thread at its last event
  kPacked,     // PackedClocks of the regions of the last kClocks or kAllClocks
  kChanged,    // packed clocks of the regions that ChangedRegions names
  kNames,      // the keys of the writer's regions, by slots
  kSkip,       // the next record begins at the first line of the ring
};

// The first word of a record: its kind and, for kClocks and kAllClocks, its
// number of lines.
class RecordHead {
 public:
  constexpr RecordHead() = default;
  constexpr explicit RecordHead(RecordKind kind, size_t lines = 0)
      : word_(static_cast<uint32_t>(kind) | static_cast<uint32_t>(lines)
                                                << kKindBits) {}

  constexpr RecordKind kind() const {
    return static_cast<RecordKind>(word_ & ((1 << kKindBits) - 1));
  }
  constexpr size_t lines() const { return word_ >> kKindBits; }
  friend constexpr bool operator==(RecordHead, RecordHead) = default;

 private:
  static constexpr int kKindBits = 8;

  uint32_t word_ = 0;
};

// The head of the ring, before the lines.  All zero is an empty ring.
struct alignas(64) ClockRing {
  struct Clocks {
    int32_t count;
    int32_t incomplete;
    ClockEntry first;  // the others follow in the next lines
  };
  // The keys of the writer's regions with the slots from `first` on.
  struct Names {
    static constexpr int kMost = 5;
    int32_t first;
    int32_t count;
    uint64_t keys[kMost];
  };
  struct alignas(64) Line {
    std::atomic<RecordHead> head;
    StreamKey key;
    union {
      int32_t reply_tag;
      uint32_t regions;  // of kChanged: ChangedRegions::word()
    };
    union {
      Clocks clocks;
      PackedClocks packed;
      Names names;
    };

    void publish(RecordKind kind, size_t lines = 0) {
      head.store(RecordHead(kind, lines), std::memory_order_release);
    }
    void clear() { head.store(RecordHead(), std::memory_order_relaxed); }
    // The packed clocks of kChanged, which may continue in the next line.
    unsigned char* entries() {
      return reinterpret_cast<unsigned char*>(this) + offsetof(Line, packed);
    }
  };

  // The reader gives up so many streams one by one, and then all streams.
  static constexpr uint32_t kMostGivenUp = 4;
  static constexpr uint32_t kAllGivenUp = kMostGivenUp + 1;

  // Written by the reader: the number of lines read.  In the first ring also:
  // how many clocks came by message, and how many further rings were cleared.
  alignas(64) std::atomic<uint64_t> read;
  std::atomic<uint64_t> by_message;
  std::atomic<uint32_t> left;
  // Written by the writer: the block (node_memory.h) of the next ring, or 0.
  alignas(64) std::atomic<uint32_t> next_block;
  // Written by the reader in the first ring: the streams that were given up.
  std::atomic<uint32_t> given_up;
  StreamKey given_up_streams[kMostGivenUp];

  Line* lines() { return reinterpret_cast<Line*>(this + 1); }
  static constexpr size_t lines_in(size_t bytes) {
    return (bytes - sizeof(ClockRing)) / sizeof(Line);
  }
};
static_assert(sizeof(ClockRing::Line) == 64 && sizeof(ClockRing) == 128);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

class RingWriter {
 public:
  RingWriter() = default;
  // `bytes`: size of head and lines.
  RingWriter(ClockRing* ring, size_t bytes);

  // `all`: not null if `clocks` are all that a thread has at its last event.
  // False: the ring has no room now, or is too short for these clocks.
  bool put(StreamKey key, const ClockMessage& clocks,
           const SentClocks* all = nullptr);
  // Puts the thread's clocks at its last event, if packed clocks or the changed
  // ones are enough.  False: put() must do it.
  bool put_packed(StreamKey key, Thread& thread, int32_t reply_tag) {
    if (written_ + 1 - read_ > size_ && !has_room(1)) return false;
    ClockRing::Line& record = ring_->lines()[place_];
    if (!thread.store_to(&record.packed, regions_)) {
      return reply_tag == 0 && put_changed(key, thread);
    }
    publish_packed(record, key, reply_tag);
    return true;
  }

  ClockRing* ring() const { return ring_; }

 private:
  void publish_packed(ClockRing::Line& record, StreamKey key,
                      int32_t reply_tag) {
    record.key = key;
    record.reply_tag = reply_tag;
    record.publish(RecordKind::kPacked);
    advance(1);
  }
  bool put_changed(StreamKey key, Thread& thread);
  void has_all(const SentClocks& all);
  void put_names(const Process& process);
  bool has_room(size_t lines);
  // Reads anew how much the reader has read.
  bool look_for_room(size_t lines);
  // Before and after a record of several lines is written.
  void begin_long(ClockRing::Line& record, size_t lines);
  void end_long();
  void advance(size_t lines) {
    written_ += lines;
    place_ += lines;
    if (place_ == size_) place_ = 0;
  }

  ClockRing* ring_ = nullptr;
  KnownRegions regions_;  // of the last kClocks or kAllClocks
  size_t size_ = 0;       // in lines
  size_t place_ = 0;      // the line of the next record
  uint64_t written_ = 0;  // lines since the start
  uint64_t read_ = 0;     // ClockRing::read, as last seen
  // The record between begin_long() and end_long(), and `read_` before it.
  ClockRing::Line* begun_ = nullptr;
  size_t begun_lines_ = 0;
  uint64_t read_before_ = 0;
  int named_ = 0;    // the reader knows the regions below this slot
  SentClocks sent_;  // which clocks the reader has; none: all must be sent
};

class RingReader {
 public:
  RingReader() = default;
  RingReader(ClockRing* ring, size_t bytes);

  // The oldest record with clocks, or null.
  const ClockRing::Line* front();
  // Removes that record and returns its clocks in a form that any thread may
  // merge at any time.  REQUIRES: front() has just returned the record.
  void take(ClockMessage* clocks);
  // Takes the oldest record if it is of this stream and kPacked or kChanged.
  // The thread must merge this record before others.  False: see front().
  bool take_packed(StreamKey key, ClockMessage* clocks, const Thread& thread) {
    ClockRing::Line& record = ring_->lines()[place_];
    const RecordHead head = record.head.load(std::memory_order_acquire);
    if (head != RecordHead(RecordKind::kPacked) || record.key != key) {
      return head == RecordHead(RecordKind::kChanged) && record.key == key &&
             take_changed(clocks, thread);
    }
    clocks->reply_tag = record.reply_tag;
    clocks->incomplete = 0;
    unpack(record.packed, regions_, clocks);
    record.clear();
    advance(1);
    return true;
  }

  ClockRing* ring() const { return ring_; }
  size_t bytes() const {
    return sizeof(ClockRing) + size_ * sizeof(ClockRing::Line);
  }

 private:
  void advance(size_t lines) {
    place_ += lines;
    if (place_ == size_) place_ = 0;
    read_ += lines;
    ring_->read.store(read_, std::memory_order_release);
  }
  void learn(const ClockRing::Names& names);
  bool take_changed(ClockMessage* clocks, const Thread& thread);
  // `follows`: whoever merges the record has merged all before, so the kept
  // clocks are not needed.  Returns the number of the record's lines.
  size_t read_changed(ClockRing::Line& record, bool follows,
                      ClockMessage* clocks);
  void clear(ClockRing::Line* record, size_t lines);
  void find_slots(Process& process);
  void keep(const ClockEntry& entry);

  ClockRing* ring_ = nullptr;
  KnownRegions regions_;
  size_t size_ = 0;
  size_t place_ = 0;
  uint64_t read_ = 0;
  std::vector<NamedRegion> named_;  // by slots of the writer
  // The last kAllClocks behind kNames, with all resting clocks that came later.
  std::vector<ClockEntry> kept_;
  Follower follower_;  // the thread that has merged all records so far
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_CLOCK_RING_H_
