// Cell: an integer that one thread writes and others may read at any time.
//
// An update is a plain load, add and store, never a read-modify-write.  A
// reader sees some recent value, and the last one if it has synchronised with
// the writer.
#ifndef POPRT_BASE_CELL_H_
#define POPRT_BASE_CELL_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace poprt {

class Cell {
 public:
  constexpr Cell() = default;
  int64_t get() const { return value_.load(std::memory_order_relaxed); }
  void set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void add(int64_t value) { set(get() + value); }
  // Without a branch: which of two clocks is later cannot be predicted.
  void raise(int64_t value) { set(std::max(get(), value)); }

 private:
  std::atomic<int64_t> value_{0};
};

// Raises a maximum that several threads share.  Usually the value is not
// larger, and then nothing is written.
inline void raise_shared(std::atomic<int64_t>& maximum, int64_t value) {
  int64_t seen = maximum.load(std::memory_order_relaxed);
  while (value > seen &&
         !maximum.compare_exchange_weak(seen, value, std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
  }
}

}  // namespace poprt

#endif  // POPRT_BASE_CELL_H_
