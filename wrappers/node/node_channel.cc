#include "wrappers/node/node_channel.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace poprt::mpi {

Sent OutgoingChannel::put(StreamKey key, const ClockMessage& clocks,
                          const SentClocks* all) {
  if (first_ == nullptr) return Sent::kByMessage;
  const uint32_t given_up = first_->given_up.load(std::memory_order_acquire);
  if (given_up != 0 && is_given_up(key, given_up)) return Sent::kNotAtAll;
  // Clocks have gone by message and the reader has not taken all of them.
  // These must follow by message too, because the two ways have no common
  // order.
  const bool behind =
      by_message_ != 0 &&
      by_message_ != first_->by_message.load(std::memory_order_acquire);
  if (!behind && (writer_.put(key, clocks, all) ||
                  (grow() && writer_.put(key, clocks, all)))) {
    return Sent::kOnNode;
  }
  ++by_message_;
  return Sent::kByMessage;
}

bool OutgoingChannel::is_given_up(StreamKey key, uint32_t count) const {
  if (count == ClockRing::kAllGivenUp) return true;
  const StreamKey* const streams = first_->given_up_streams;
  return std::find(streams, streams + count, key) != streams + count;
}

bool OutgoingChannel::grow() {
  if (blocks_ == nullptr) return false;
  const uint32_t left = first_->left.load(std::memory_order_acquire);
  const auto finished = chain_.begin() + static_cast<int32_t>(left - left_);
  std::for_each(chain_.begin(), finished,
                [this](Block block) { blocks_->recycle(block); });
  chain_.erase(chain_.begin(), finished);
  left_ = left;
  // A pair that has once had a few messages more under way than others gets
  // little more memory than these.
  Block block;
  auto* const next = static_cast<ClockRing*>(blocks_->take(has_grown_, &block));
  if (next == nullptr) return false;
  has_grown_ = true;
  writer_.ring()->next_block.store(block.word(), std::memory_order_release);
  chain_.push_back(block);
  writer_ = RingWriter(next, block.bytes());
  return true;
}

namespace {

// Whether this system clears what it says that it has taken back: some
// emulators only say so.
enum class Removal { kUnknown, kClears, kDoesNot };
constinit std::atomic<Removal> g_removal{Removal::kUnknown};

// Clears a ring that has been left, and gives its memory back.
bool gives_back(ClockRing* ring, size_t bytes) {
  if (g_removal.load(std::memory_order_relaxed) == Removal::kDoesNot ||
      madvise(ring, bytes, MADV_REMOVE) != 0) {
    return false;
  }
  if (g_removal.load(std::memory_order_relaxed) == Removal::kClears) {
    return true;
  }
  const bool clears = ring->next_block.load(std::memory_order_relaxed) == 0;
  g_removal.store(clears ? Removal::kClears : Removal::kDoesNot,
                  std::memory_order_relaxed);
  // To look at it has made a page of it again.
  return clears && madvise(ring, bytes, MADV_REMOVE) == 0;
}

}  // namespace

const ClockRing::Line* IncomingChannel::front() {
  for (;;) {
    if (const ClockRing::Line* const record = reader_.front()) return record;
    ClockRing* const empty = reader_.ring();
    const uint32_t next = empty->next_block.load(std::memory_order_acquire);
    if (next == 0) return nullptr;
    // Look again: the writer may have written this record before it went on to
    // the next ring.
    if (const ClockRing::Line* const record = reader_.front()) return record;
    const Block block = Block::of(next);
    auto* const ring = static_cast<ClockRing*>(blocks_.memory_of(block));
    if (ring == nullptr) {
      close();
      return nullptr;
    }
    if (empty != first_) {
      // Unless its page has others.
      if (reader_.bytes() % page_bytes() != 0 ||
          !gives_back(empty, reader_.bytes())) {
        std::memset(static_cast<void*>(empty), 0, reader_.bytes());
      }
      first_->left.fetch_add(1, std::memory_order_release);
    }
    reader_ = RingReader(ring, block.bytes());
  }
}

void IncomingChannel::close() {
  first_->given_up.store(ClockRing::kAllGivenUp, std::memory_order_relaxed);
  kept_.clear();
}

bool IncomingChannel::give_up(StreamKey key) {
  if (first_ == nullptr) return false;
  const uint32_t count = first_->given_up.load(std::memory_order_relaxed);
  if (count >= ClockRing::kMostGivenUp) {
    close();
  } else {
    first_->given_up_streams[count] = key;
    first_->given_up.store(count + 1, std::memory_order_release);
  }
  return true;
}

Taken IncomingChannel::take(StreamKey key, ClockMessage* clocks) {
  if (first_ == nullptr) return Taken::kNo;
  if (is_closed()) return Taken::kClosed;
  if (!kept_.empty() && kept_.take(stream_of(key.comm, key.tag), clocks))
    return Taken::kYes;
  while (const ClockRing::Line* const record = front()) {
    const StreamKey its_key = record->key;
    reader_.take(clocks);
    if (its_key == key) return Taken::kYes;
    kept_.add(stream_of(its_key.comm, its_key.tag), *clocks);
    clocks->count = 0;
  }
  return is_closed() ? Taken::kClosing : Taken::kNo;
}

}  // namespace poprt::mpi
