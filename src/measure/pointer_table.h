// PointerTable: objects that are known by their addresses, each with a number.
//
// Invariants:
//  1. Numbers are given from 0 on, one for each object, and never change.
//  2. All numbers that add() has returned are below count().
//  3. Any thread may use it at any time, without a lock.
#ifndef POPRT_MEASURE_POINTER_TABLE_H_
#define POPRT_MEASURE_POINTER_TABLE_H_

#include <atomic>
#include <cstdint>

#include "base/cell.h"

namespace poprt {

template <class Item, int kSize>
class PointerTable {
 public:
  // The number of `item`, which lives as long as the table; -1: it is full.
  int add(const Item& item) {
    for (int i = 0; i < kSize; ++i) {
      const Item* known = items_[i].load(std::memory_order_acquire);
      if ((known == nullptr &&
           items_[i].compare_exchange_strong(known, &item)) ||
          known == &item) {
        raise_shared(count_, i + 1);
        return i;
      }
    }
    return -1;
  }
  // -1: it has none.
  int find(const Item& item) const {
    for (int i = 0; i < count(); ++i) {
      if (at(i) == &item) return i;
    }
    return -1;
  }
  int count() const {
    return static_cast<int>(count_.load(std::memory_order_acquire));
  }
  // Null if there is none of this number.
  const Item* at(int number) const {
    return items_[number].load(std::memory_order_acquire);
  }

 private:
  std::atomic<const Item*> items_[kSize] = {};
  std::atomic<int64_t> count_{0};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_POINTER_TABLE_H_
