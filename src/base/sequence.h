// Sequence: other threads read what one thread changes, without a lock and
// without that thread waiting for anybody.
//
// The number is odd while its thread changes something, and another one after
// each change, so who reads notices what has changed meanwhile and reads again.
// What is read is made of SharedWords: who sees a word of a change also sees
// that the change has begun.
#ifndef POPRT_BASE_SEQUENCE_H_
#define POPRT_BASE_SEQUENCE_H_

#include <sched.h>

#include <atomic>
#include <cstdint>

namespace poprt {

// A value that is copied as one of its type.
template <class Value>
class SharedWord {
 public:
  constexpr SharedWord(Value value = Value()) : value_(value) {}
  SharedWord(const SharedWord& other) : value_(Value(other)) {}
  SharedWord& operator=(const SharedWord& other) {
    return *this = Value(other);
  }
  SharedWord& operator=(Value value) {
    value_.store(value, std::memory_order_release);
    return *this;
  }
  operator Value() const { return value_.load(std::memory_order_acquire); }
  SharedWord& operator+=(Value value) {
    return *this = static_cast<Value>(*this + value);
  }

 private:
  std::atomic<Value> value_;
};

class Sequence {
 public:
  Sequence() = default;
  // A copy is read and changed apart from this one.
  Sequence(const Sequence&) {}
  Sequence& operator=(const Sequence&) { return *this; }

  // While it exists, its thread changes something.  Changes inside of a change
  // belong to it.
  class Change {
   public:
    explicit Change(Sequence& sequence)
        : number_(sequence.number_),
          before_(number_.load(std::memory_order_relaxed)) {
      number_.store(before_ | 1, std::memory_order_relaxed);
    }
    ~Change() {
      number_.store(before_ + 2 * (~before_ & 1), std::memory_order_release);
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    std::atomic<uint32_t>& number_;
    const uint32_t before_;
  };

  // For another thread: calls `read` until nothing has changed meanwhile. False
  // if something always has: the thread may have lost its core in a change, or
  // a signal handler, in which this is called, has interrupted it there.
  template <class Read>
  bool read_settled(Read read) const {
    constexpr int kSpins = 200;
    constexpr int kTries = 1000;
    for (int i = 0; i < kTries; ++i) {
      const uint32_t before = number_.load(std::memory_order_acquire);
      if (before % 2 == 0) {
        read();
        if (number_.load(std::memory_order_relaxed) == before) return true;
      }
      if (i > kSpins) sched_yield();
    }
    return false;
  }

 private:
  std::atomic<uint32_t> number_{0};
};

}  // namespace poprt

#endif  // POPRT_BASE_SEQUENCE_H_
