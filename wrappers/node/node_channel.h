// The rings between this process and another one (or itself): one in each
// direction.
#ifndef POPRT_WRAPPERS_NODE_NODE_CHANNEL_H_
#define POPRT_WRAPPERS_NODE_NODE_CHANNEL_H_

#include <algorithm>
#include <bit>
#include <vector>

#include "wrappers/node/clock_ring.h"
#include "wrappers/node/kept_clocks.h"
#include "wrappers/node/node_memory.h"

namespace poprt::mpi {

// Size of the first ring of each pair, if the node has so many processes.  The
// rings of a process together take at most 256 KiB, unless there are more than
// 256 processes, and only those over which messages go take any.  Further rings
// are blocks of the sender's memory.
inline constexpr size_t kMostRingBytes = 8192;
constexpr size_t first_ring_bytes(size_t processes) {
  constexpr size_t kAllBytes = size_t{256} << 10;
  constexpr size_t kLeast = 1024;
  return std::clamp(std::bit_floor(kAllBytes / processes), kLeast,
                    kMostRingBytes);
}

// How clocks were sent, or must be sent.
enum class Sent {
  kOnNode,
  kByMessage,
  kNotAtAll,  // the receiver has given up this stream
};
// Whether clocks have come through the ring.
enum class Taken {
  kYes,
  kNo,       // they come by message
  kClosing,  // this process cannot read on, and has just told the sender
  kClosed,   // no clocks come from that process any more
};

class OutgoingChannel {
 public:
  // All clocks go by message.
  OutgoingChannel() = default;
  // A ring that the receiver reads.  `blocks`: for further ones; null if it
  // cannot read these.
  OutgoingChannel(ClockRing* first, size_t bytes, OwnBlocks* blocks)
      : first_(first), blocks_(blocks), writer_(first, bytes) {}

  // `all`: the clocks are all of a thread's as of its last event; or null.
  Sent put(StreamKey key, const ClockMessage& clocks,
           const SentClocks* all = nullptr);
  // The usual way, in few instructions: the thread's clocks as of its last
  // event are one line, and nothing has gone another way.  False: put() must
  // do it.
  bool put_packed(StreamKey key, Thread& thread, int32_t reply_tag) {
    return first_ != nullptr && by_message_ == 0 &&
           first_->given_up.load(std::memory_order_acquire) == 0 &&
           writer_.put_packed(key, thread, reply_tag);
  }

 private:
  bool is_given_up(StreamKey key, uint32_t count) const;
  bool grow();

  ClockRing* first_ = nullptr;
  OwnBlocks* blocks_ = nullptr;
  RingWriter writer_;
  // The rings after the first one, except those that the reader is known to
  // have finished.
  std::vector<Block> chain_;
  bool has_grown_ = false;
  uint32_t left_ = 0;
  uint64_t by_message_ = 0;  // clocks that could not go through the ring
};

class IncomingChannel {
 public:
  // All clocks come by message.
  IncomingChannel() = default;
  // `blocks`: the sender's.
  IncomingChannel(ClockRing* first, size_t bytes, BlockArea blocks)
      : first_(first), reader_(first, bytes), blocks_(blocks) {}

  Taken take(StreamKey key, ClockMessage* clocks);
  // The usual way, likewise.  False: take() must do it.
  bool take_packed(StreamKey key, ClockMessage* clocks, const Thread& thread) {
    return first_ != nullptr && !is_closed() && kept_.empty() &&
           reader_.take_packed(key, clocks, thread);
  }
  void taken_by_message() {
    if (first_ != nullptr) {
      first_->by_message.fetch_add(1, std::memory_order_release);
    }
  }
  // Tells the sender that no more clocks of this stream are expected, and after
  // many streams: of none.  False: there is no ring by which to tell it.
  bool give_up(StreamKey key);

 private:
  // The oldest record in this ring or the ones after it, or null.
  const ClockRing::Line* front();
  bool is_closed() const {
    return first_->given_up.load(std::memory_order_relaxed) ==
           ClockRing::kAllGivenUp;
  }
  void close();

  ClockRing* first_ = nullptr;
  RingReader reader_;
  BlockArea blocks_;
  // Clocks that have been read but are not asked for yet, because the program
  // receives messages in another order than they were sent in.
  KeptClocks kept_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_NODE_CHANNEL_H_
