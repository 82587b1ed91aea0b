// The rings between this process and another one, or itself: one each way.
#ifndef POPRT_WRAPPERS_NODE_CHANNEL_H_
#define POPRT_WRAPPERS_NODE_CHANNEL_H_

#include <deque>
#include <unordered_map>
#include <vector>

#include "wrappers/clock_ring.h"
#include "wrappers/node_memory.h"

namespace poprt::mpi {

// The first ring of each pair; further ones are blocks of the sender's.
inline constexpr size_t kFirstRingBytes = 8192;

// Which way clocks have gone, or must go.
enum class Sent {
  kOnNode,
  kByMessage,
  kNotAtAll,  // the receiver expects no more of this stream
};
// Whether clocks have come this way.
enum class Taken {
  kYes,
  kNo,       // they come by message
  kClosing,  // this process cannot go on here, and has just told the sender
  kClosed,   // no clocks come from there any more
};

class OutgoingChannel {
 public:
  // `first` may be null: everything goes by message.
  OutgoingChannel(ClockRing* first, OwnBlocks* blocks)
      : first_(first), blocks_(blocks), writer_(first, kFirstRingBytes) {}

  Sent put(StreamKey key, const ClockMessage& clocks);

 private:
  bool is_given_up(StreamKey key, uint32_t count) const;
  bool grow();

  ClockRing* first_;
  OwnBlocks* blocks_;
  RingWriter writer_;
  bool has_reader_ = false;
  // The rings that followed the first one, but for those that the reader has
  // left and this process knows of.
  std::deque<uint32_t> chain_;
  uint32_t left_ = 0;
  uint64_t by_message_ = 0;  // clocks that could not go this way
};

class IncomingChannel {
 public:
  // `first` may be null: everything comes by message.  `blocks`: the sender's.
  IncomingChannel(ClockRing* first, BlockArea blocks);

  Taken take(StreamKey key, ClockMessage* clocks);
  void taken_by_message() {
    if (first_ != nullptr) {
      first_->by_message.fetch_add(1, std::memory_order_release);
    }
  }
  // The sender is told that nothing more is expected of this stream; after many
  // streams, of none.  False: it reads nothing here.
  bool give_up(StreamKey key);

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
  bool is_closed() const {
    return first_->given_up.load(std::memory_order_relaxed) ==
           ClockRing::kAllGivenUp;
  }
  void close();

  ClockRing* first_;
  RingReader reader_;
  BlockArea blocks_;
  std::unordered_map<StreamKey, Stream, Hash> kept_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_CHANNEL_H_
