// The rings between this process and another one, or itself: one each way.
#ifndef POPRT_WRAPPERS_NODE_CHANNEL_H_
#define POPRT_WRAPPERS_NODE_CHANNEL_H_

#include <sys/types.h>

#include <unordered_map>
#include <vector>

#include "wrappers/clock_ring.h"

namespace poprt::mpi {

// The first ring of each pair; further ones are larger.
inline constexpr size_t kFirstRingBytes = 8192;

// Memory that other processes can map by /proc/<pid>/fd: it has no name, and
// goes away with them.  -1: none.
int new_shared_file(size_t bytes);
int open_shared_file(pid_t owner, int file);
// Whether it is what new_shared_file(bytes) made.
bool is_shared_file(int file, size_t bytes);
// Null: not possible.
void* map_shared(int file, size_t offset, size_t bytes);
inline ClockRing* map_ring(int file, size_t offset, size_t bytes) {
  return static_cast<ClockRing*>(map_shared(file, offset, bytes));
}

class OutgoingChannel {
 public:
  // `first` may be null: everything goes by message.
  explicit OutgoingChannel(ClockRing* first)
      : first_(first), writer_(first, kFirstRingBytes) {}

  // False: these clocks go by message.
  bool put(StreamKey key, const ClockMessage& clocks);

 private:
  bool grow();
  void close_files();
  void forget(ClockRing* ring, size_t bytes);

  // A ring that the reader has still to open, and then to empty.
  struct Grown {
    int file;
    ClockRing* ring;
    size_t bytes;
  };

  ClockRing* first_;
  RingWriter writer_;
  bool has_reader_ = false;
  std::vector<Grown> unopened_;
  size_t total_bytes_ = 0;
  uint64_t by_message_ = 0;  // clocks that could not go this way
};

class IncomingChannel {
 public:
  // `first` may be null: everything comes by message.
  IncomingChannel(ClockRing* first, pid_t sender);

  bool take(StreamKey key, ClockMessage* clocks);
  void taken_by_message() {
    if (first_ != nullptr) {
      first_->by_message.fetch_add(1, std::memory_order_release);
    }
  }

 private:
  // Clocks of messages that are received later than others that were sent
  // after them: `count` and `reply_tag`, `incomplete`, the entries.
  struct Stream {
    std::vector<uint64_t> words;
    size_t begin = 0;
  };
  struct Hash {
    size_t operator()(StreamKey key) const {
      return (uint64_t{key.comm} << 32 | static_cast<uint32_t>(key.tag)) *
             uint64_t{0x9E3779B97F4A7C15};
    }
  };

  bool take_kept(StreamKey key, ClockMessage* clocks);
  void keep(StreamKey key, const ClockMessage& clocks);
  // The oldest record of this ring or of those that follow it, or null.
  const ClockRing::Line* front();

  ClockRing* first_;
  RingReader reader_;
  size_t bytes_ = kFirstRingBytes;
  pid_t sender_;
  std::unordered_map<StreamKey, Stream, Hash> kept_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_CHANNEL_H_
