// Epochs: how a thread notices at its next event, by one comparison, that
// regions or windows of its process have changed, or that it has more to do
// than to book time.
//
// Invariants:
//  1. After each change Epoch::value() is another one, and program_epoch() of
//     it as well if that was a region of the program's, and no window.
//  2. SeenEpoch::is_quiet_now(): the thread has followed all changes, has no
//     more to do at each event, and has been at an event that was not quiet
//     since the threads were called.
//  3. An event of before the changes, which is told late, sees none of them.
#ifndef POPRT_MEASURE_EPOCHS_H_
#define POPRT_MEASURE_EPOCHS_H_

#include <atomic>
#include <cstdint>

namespace poprt {

// Of a process.  Any thread may read; who changes it holds the process's mutex.
class Epoch {
 public:
  uint32_t value() const {
    return word_.load(std::memory_order_acquire) & ~kCalled;
  }
  // Whether value() is this one, and threads were not called.  Read after the
  // word, `value` needs no instruction of its own.
  [[gnu::always_inline]] bool is_still(const uint32_t& value) const {
    return word_.load(std::memory_order_acquire) == value;
  }

  void change_program_region() {
    word_.fetch_add(kProgramRegionChanges, std::memory_order_release);
  }
  void change_window() {
    word_.fetch_add(kWindowChanges, std::memory_order_release);
  }
  // From now on each thread's next event is not quiet, until the thread has
  // more to do at each.
  void call_threads() { word_.fetch_or(kCalled, std::memory_order_release); }

  static constexpr uint32_t kProgramRegionChanges = 1 << 8;

 private:
  // A bit beside the value, so that threads need no second comparison.
  static constexpr uint32_t kCalled = 1;
  static constexpr uint32_t kWindowChanges = 2;

  std::atomic<uint32_t> word_{0};
};

// With very many windows it may change once more, which only costs time.
constexpr uint32_t program_epoch(uint32_t epoch) {
  return epoch / Epoch::kProgramRegionChanges;
}

// What a thread has seen of that.  Used by the thread only.
class SeenEpoch {
 public:
  explicit SeenEpoch(const Epoch& process) : process_(process) {}

  // Whether an event has no more to do than to book the time.
  [[gnu::always_inline]] bool is_quiet_now() const {
    return process_.is_still(quiet_);
  }
  // The same, unless something has changed since the last event.
  bool is_quiet() const { return quiet_ == value_; }
  // Epoch::value() of the last changes that were followed.
  uint32_t value() const { return value_; }
  // Whether there are changes to follow now, if value() is this one.
  bool has_changed(uint32_t now) const { return now != value_ && !is_earlier_; }

  // They have been followed.  To be followed by has_more().
  void follow(uint32_t now) { value_ = now; }
  // Whether each event has more to do.
  void has_more(bool more) { quiet_ = more ? ~value_ : value_; }
  // An event begins that was when Epoch::value() was `then`; or it is over.
  void begin_earlier(uint32_t then) { is_earlier_ = then == value_; }
  void end_earlier() { is_earlier_ = false; }
  bool is_earlier() const { return is_earlier_; }

 private:
  const Epoch& process_;
  uint32_t value_ = 0;
  uint32_t quiet_ = 0;  // or a value that the process does not have
  bool is_earlier_ = false;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_EPOCHS_H_
