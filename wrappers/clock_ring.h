// Clocks of messages from one process to another of the same node, in memory
// that both map: a ring of cache lines with one writer and one reader.
//
// The program's own message orders the two: what is written before it is sent
// is there once it has been received.
#ifndef POPRT_WRAPPERS_CLOCK_RING_H_
#define POPRT_WRAPPERS_CLOCK_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wrappers/packed_clocks.h"

namespace poprt::mpi {

// Which clocks these are: of the next message under `tag` on a communicator.
struct StreamKey {
  uint32_t comm;
  int32_t tag;
  bool operator==(const StreamKey&) const = default;
};

// As it lies in shared memory; all zero is an empty ring.
struct alignas(64) ClockRing {
  struct Clocks {
    int32_t count;
    int32_t incomplete;
    ClockEntry first;  // the others follow, beyond this line
  };
  struct alignas(64) Line {
    // In the first line of a record how many lines it has, kPacked or kSkip; 0:
    // not written.  Any line that has been read is set to 0 again.
    std::atomic<uint32_t> lines;
    StreamKey key;
    int32_t reply_tag;
    union {
      Clocks clocks;
      PackedClocks packed;  // kPacked: one line, with the regions of the record
                            // before it
    };
  };
  static constexpr uint32_t kSkip = ~uint32_t{0};
  static constexpr uint32_t kPacked = kSkip - 1;

  // Of which streams the reader expects nothing more.
  static constexpr uint32_t kMostGivenUp = 4;
  static constexpr uint32_t kAllGivenUp = kMostGivenUp + 1;

  // The reader's: lines read so far.  In the first ring of a pair also how many
  // of its clocks have come by message, how many rings it has left, all zero,
  // whether it reads here at all, and whether it can go on to further rings.
  alignas(64) std::atomic<uint64_t> read;
  std::atomic<uint64_t> by_message;
  std::atomic<uint32_t> left;
  std::atomic<bool> has_reader;
  std::atomic<bool> can_follow;
  // The writer's: the block (node_memory.h) of the ring that follows this one,
  // plus one.
  alignas(64) std::atomic<uint32_t> next_block;
  // The reader's, in the first ring, and seldom written: how many streams it
  // has given up, or kAllGivenUp; and which.
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
  // `bytes`: the ring with its head, at least 4 KiB.
  RingWriter(ClockRing* ring, size_t bytes);

  // False: there is no room.
  bool put(StreamKey key, const ClockMessage& clocks);

  ClockRing* ring() const { return ring_; }

 private:
  ClockRing* ring_ = nullptr;
  KnownRegions regions_;  // of the last record
  size_t size_ = 0;       // in lines
  uint64_t written_ = 0;  // lines, from the beginning of time
  uint64_t read_ = 0;     // as last seen
};

class RingReader {
 public:
  RingReader() = default;
  RingReader(ClockRing* ring, size_t bytes);

  // The oldest record, or null.
  const ClockRing::Line* front();
  // Takes it out.  REQUIRES: front() has just given it.
  void take(ClockMessage* clocks);

  ClockRing* ring() const { return ring_; }

 private:
  ClockRing* ring_ = nullptr;
  KnownRegions regions_;  // of the last record
  size_t size_ = 0;
  size_t place_ = 0;
  uint64_t read_ = 0;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CLOCK_RING_H_
