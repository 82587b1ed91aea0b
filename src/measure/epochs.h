// Epochs: by one comparison an event finds out whether it only has to book
// time, because no region or window has changed and the thread measures nothing
// else.
//
// Invariants:
//  1. Each change of a region or window changes Epoch::value().  Changes of the
//     program's regions also change program_epoch() of it.
//  2. SeenEpoch::is_quiet_now(): the thread has followed all changes, has no
//     more to do at each event, and there was no call_threads().
//  3. An event that is told late sees no change that came after it.
#ifndef POPRT_MEASURE_EPOCHS_H_
#define POPRT_MEASURE_EPOCHS_H_

#include <atomic>
#include <cstdint>

namespace poprt {

// The epoch of a process.  Any thread may read it.  The thread that changes it
// holds the process's mutex.
class Epoch {
 public:
  uint32_t value() const {
    return word_.load(std::memory_order_acquire) & ~kCalled;
  }
  // Whether value() is `value`, without call_threads().  `value` is a
  // reference, so that reading it needs no instruction of its own.
  [[gnu::always_inline]] bool is_still(const uint32_t& value) const {
    return word_.load(std::memory_order_acquire) == value;
  }

  void change_program_region() {
    word_.fetch_add(kProgramRegionChanges, std::memory_order_release);
  }
  void change_window() {
    word_.fetch_add(kWindowChanges, std::memory_order_release);
  }
  // From now on no event of any thread is quiet.
  void call_threads() { word_.fetch_or(kCalled, std::memory_order_release); }

  static constexpr uint32_t kProgramRegionChanges = 1 << 8;

 private:
  // In the word, so that threads need no second comparison.
  static constexpr uint32_t kCalled = 1;
  static constexpr uint32_t kWindowChanges = 2;

  std::atomic<uint32_t> word_{0};
};

// Without changes of windows, unless there are very many, which only costs
// time.
constexpr uint32_t program_epoch(uint32_t epoch) {
  return epoch / Epoch::kProgramRegionChanges;
}

// Which epoch a thread has followed.  Used by the thread only.
class SeenEpoch {
 public:
  explicit SeenEpoch(const Epoch& process) : process_(process) {}

  // Whether an event only has to book the time.
  [[gnu::always_inline]] bool is_quiet_now() const {
    return process_.is_still(quiet_);
  }
  // The same, if nothing has changed since the last event.
  bool is_quiet() const { return quiet_ == value_; }
  // The last Epoch::value() that was followed.
  uint32_t value() const { return value_; }
  // Whether there are changes to follow.  `now`: Epoch::value().
  bool has_changed(uint32_t now) const { return now != value_ && !is_earlier_; }

  // The thread has followed all changes up to `now`.  Call has_more() next.
  void follow(uint32_t now) { value_ = now; }
  // Whether each event has more to do.
  void has_more(bool more) { quiet_ = more ? ~value_ : value_; }
  // An event begins, or ends, that took place when Epoch::value() was `then`.
  void begin_earlier(uint32_t then) { is_earlier_ = then == value_; }
  void end_earlier() { is_earlier_ = false; }
  bool is_earlier() const { return is_earlier_; }

 private:
  const Epoch& process_;
  uint32_t value_ = 0;
  uint32_t quiet_ = 0;  // value_, or a value that the process does not have
  bool is_earlier_ = false;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_EPOCHS_H_
