// Streams (peer, tag) of a communicator about which something is known.  Looked
// up in constant time, however many there are; an empty set costs one load.
#ifndef POPRT_WRAPPERS_STREAM_SET_H_
#define POPRT_WRAPPERS_STREAM_SET_H_

#include <atomic>
#include <cstdint>
#include <unordered_map>

namespace poprt::mpi {

// How many of something each stream has.  The owner locks, but for empty().
class StreamCounts {
 public:
  bool empty() const { return size_.load(std::memory_order_relaxed) == 0; }

  bool has(int peer, int tag) const {
    return counts_.count(key(peer, tag)) != 0;
  }
  // The number, with this one.
  int add(int peer, int tag) {
    const int count = ++counts_[key(peer, tag)];
    size_.store(counts_.size(), std::memory_order_relaxed);
    return count;
  }
  // False: there was none.
  bool take(int peer, int tag) {
    const auto place = counts_.find(key(peer, tag));
    if (place == counts_.end()) return false;
    if (--place->second == 0) counts_.erase(place);
    size_.store(counts_.size(), std::memory_order_relaxed);
    return true;
  }

 private:
  static uint64_t key(int peer, int tag) {
    return uint64_t{static_cast<uint32_t>(peer)} << 32 |
           static_cast<uint32_t>(tag);
  }

  std::unordered_map<uint64_t, int> counts_;
  std::atomic<size_t> size_{0};
};

// Streams that have no clocks any more.  Of a peer with many of them, none has.
class GivenUpStreams {
 public:
  static constexpr int kAllTags = -1;

  bool empty() const { return streams_.empty(); }
  bool has(int peer, int tag) const {
    return streams_.has(peer, tag) || streams_.has(peer, kAllTags);
  }
  void add(int peer, int tag) {
    if (!streams_.has(peer, tag)) streams_.add(peer, tag);
  }
  // The same, and what there is to tell the peer: the tag, or kAllTags.
  int give_up(int peer, int tag) {
    constexpr int kMostOfPeer = 64;
    if (of_peers_.add(peer, 0) > kMostOfPeer) tag = kAllTags;
    add(peer, tag);
    return tag;
  }

 private:
  StreamCounts streams_;
  StreamCounts of_peers_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_STREAM_SET_H_
