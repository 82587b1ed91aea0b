// A ring of cache lines in shared memory that carries the clocks of messages
// from one process to another on the same node.  It has one writer and one
// reader.
//
// The program's own message orders the two: clocks are written before the
// message is sent, so they are there when it has been received.
//
// Of many regions a record has only what has changed since the record before
// (changed_clocks.h), once all has been sent. The reader keeps all, for a
// record that another thread takes, or that is not merged at once.
//
// Invariants:
//  1. A line is 0 in its first word, or it is the first line of a record, or a
//     further line of one.
//  2. The first word of a record is written last and read first: what it says
//     of the record (RecordHead) is there then.
//  3. The reader sets the first word of each line that it has read back to 0.
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

// Names the stream that clocks belong to: messages with `tag` on a
// communicator.
struct StreamKey {
  uint32_t comm;
  int32_t tag;
  bool operator==(const StreamKey&) const = default;
};

enum class RecordKind : uint8_t {
  kNothing,  // nothing is written there
  kClocks,
  kAllClocks,  // all that a thread has as of its last event
  kPacked,     // of the same regions as the record before
  kChanged,    // what has changed since the record before
  kNames,      // what keys the regions of the writing process have
  kSkip,       // the rest of the ring is not used this time
};

// The first word of a record: its kind and, of those of kClocks and kAllClocks,
// its number of lines.
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

// The layout in shared memory.  All zero is an empty ring.
struct alignas(64) ClockRing {
  struct Clocks {
    int32_t count;
    int32_t incomplete;
    ClockEntry first;  // the others follow in the next lines
  };
  // What keys the regions at these slots of the writing process have.
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
      uint32_t regions;  // of kChanged: ChangedRegions
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
    // Of kChanged: the entries, which continue in the next line.
    unsigned char* entries() {
      return reinterpret_cast<unsigned char*>(this) + offsetof(Line, packed);
    }
  };

  // At most so many streams are given up one by one; then all are.
  static constexpr uint32_t kMostGivenUp = 4;
  static constexpr uint32_t kAllGivenUp = kMostGivenUp + 1;

  // Written by the reader: the number of lines read.  In the first ring of a
  // pair also: how many clocks have come by message, and how many rings the
  // reader has finished and cleared.
  alignas(64) std::atomic<uint64_t> read;
  std::atomic<uint64_t> by_message;
  std::atomic<uint32_t> left;
  // Written by the writer: the block (node_memory.h) of the ring that follows
  // this one, or 0.
  alignas(64) std::atomic<uint32_t> next_block;
  // Written by the reader, seldom, in the first ring: how many streams it has
  // given up, or kAllGivenUp, and which streams.
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
  // `bytes`: size of the ring with its head.
  RingWriter(ClockRing* ring, size_t bytes);

  // False: the ring has no room, or is too short for these clocks at any time.
  // `all`: the clocks are all of a thread's as of its last event; or null.
  bool put(StreamKey key, const ClockMessage& clocks,
           const SentClocks* all = nullptr);
  // Puts the thread's clocks, as of its last event, if they are packed into one
  // line, or what has changed of them into one or two, and the ring is known to
  // have room.  False: put() must do it.
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
  bool look_for_room(size_t lines);
  void begin_long(ClockRing::Line& record, size_t lines);
  void end_long();
  // Never beyond the end of the ring.
  void advance(size_t lines) {
    written_ += lines;
    place_ += lines;
    if (place_ == size_) place_ = 0;
  }

  ClockRing* ring_ = nullptr;
  KnownRegions regions_;  // regions of the last record
  size_t size_ = 0;       // in lines
  size_t place_ = 0;      // of the next record
  uint64_t written_ = 0;  // lines written since the start
  uint64_t read_ = 0;     // the reader's count, as last seen
  // A record of several lines that is being written, and what `read_` was then.
  ClockRing::Line* begun_ = nullptr;
  size_t begun_lines_ = 0;
  uint64_t read_before_ = 0;
  int named_ = 0;    // the reader knows the regions below this slot
  SentClocks sent_;  // in this ring, since it knows them
};

class RingReader {
 public:
  RingReader() = default;
  RingReader(ClockRing* ring, size_t bytes);

  // The oldest record, or null.
  const ClockRing::Line* front();
  // Removes that record: all clocks, in whatever order they are merged.
  // REQUIRES: front() has just returned it.
  void take(ClockMessage* clocks);
  // Takes the oldest record if it is packed and of this stream, to be merged by
  // this thread before any other record.  False: front() must tell.
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
  size_t read_changed(ClockRing::Line& record, bool follows,
                      ClockMessage* clocks);
  void clear(ClockRing::Line* record, size_t lines);
  void find_slots(Process& process);
  void keep(const ClockEntry& entry);

  ClockRing* ring_ = nullptr;
  KnownRegions regions_;  // regions of the last record
  size_t size_ = 0;
  size_t place_ = 0;
  uint64_t read_ = 0;
  std::vector<NamedRegion> named_;  // by slots of the writing process
  // All clocks that were sent last, from the first names on, with what rests
  // and has changed since.
  std::vector<ClockEntry> kept_;
  Follower follower_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_CLOCK_RING_H_
