// Clocks that have been received but are not asked for yet, because the program
// receives messages in another order than they were sent in.
#ifndef POPRT_WRAPPERS_NODE_KEPT_CLOCKS_H_
#define POPRT_WRAPPERS_NODE_KEPT_CLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "clocks/clock_message.h"

namespace poprt::mpi {

class KeptClocks {
 public:
  bool empty() const { return streams_.empty(); }
  void clear() { streams_.clear(); }

  void add(uint64_t stream, const ClockMessage& clocks);
  // The oldest of the stream.  False: there are none.
  bool take(uint64_t stream, ClockMessage* clocks);

 private:
  // Of each message: `count` and `reply_tag`, `incomplete`, the entries.
  struct Stream {
    std::vector<uint64_t> words;
    size_t begin = 0;
  };
  struct Hash {
    size_t operator()(uint64_t stream) const {
      return stream * uint64_t{0x9E3779B97F4A7C15};
    }
  };

  std::unordered_map<uint64_t, Stream, Hash> streams_;
};

// A stream is identified by two numbers.
inline uint64_t stream_of(uint32_t one, int other) {
  return uint64_t{one} << 32 | static_cast<uint32_t>(other);
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_KEPT_CLOCKS_H_
