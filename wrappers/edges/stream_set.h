// Sets of streams (peer, tag) of a communicator.  Lookup takes constant time;
// an empty set costs one load.
#ifndef POPRT_WRAPPERS_EDGES_STREAM_SET_H_
#define POPRT_WRAPPERS_EDGES_STREAM_SET_H_

#include <atomic>
#include <cstdint>
#include <unordered_map>

namespace poprt::mpi {

// A counter for each stream.  The caller locks, except for empty().
class StreamCounts {
 public:
  bool empty() const { return size_.load(std::memory_order_relaxed) == 0; }

  bool has(int peer, int tag) const {
    return counts_.count(key(peer, tag)) != 0;
  }
  // Returns the new count.
  int add(int peer, int tag) {
    const int count = ++counts_[key(peer, tag)];
    size_.store(counts_.size(), std::memory_order_relaxed);
    return count;
  }
  // False: the count was 0.
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

// Streams for which no clocks are sent or expected any more.  After many
// streams of one peer, all streams of that peer are given up.
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
  // Adds the stream.  Returns what the peer must be told: the tag, or kAllTags.
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

#endif  // POPRT_WRAPPERS_EDGES_STREAM_SET_H_
