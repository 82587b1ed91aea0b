// Cell: an integer that one thread writes and another may read at any time.
//
// Every update is a plain load, add, store (never a read-modify-write); the
// reader sees some recent value, and the last one once it has synchronised
// with the writer.
#ifndef POPRT_RUNTIME_CELL_H_
#define POPRT_RUNTIME_CELL_H_

#include <atomic>
#include <cstdint>

namespace poprt {

class Cell {
 public:
  constexpr Cell() = default;
  int64_t get() const { return value_.load(std::memory_order_relaxed); }
  void set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void add(int64_t value) { set(get() + value); }
  void raise(int64_t value) {
    if (value > get()) set(value);
  }

 private:
  std::atomic<int64_t> value_{0};
};

// Raises a maximum that several threads share.  Where the value is not larger,
// which is the usual case, nothing is written.
inline void raise_shared(std::atomic<int64_t>& maximum, int64_t value) {
  int64_t seen = maximum.load(std::memory_order_relaxed);
  while (value > seen &&
         !maximum.compare_exchange_weak(seen, value, std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
  }
}

}  // namespace poprt

#endif  // POPRT_RUNTIME_CELL_H_
