// Simulated threads: coroutines that wait for times and conditions.
#ifndef POPRT_TESTS_ORACLE_COROUTINE_H_
#define POPRT_TESTS_ORACLE_COROUTINE_H_

#include <coroutine>
#include <cstdint>
#include <exception>
#include <queue>
#include <utility>
#include <vector>

namespace poprt::oracle {

// A call that may wait.  Starts when it is awaited.
class [[nodiscard]] Co {
 public:
  struct promise_type {
    std::coroutine_handle<> after;

    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> ended) noexcept {
        const std::coroutine_handle<> next = ended.promise().after;
        return next ? next : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };

    Co get_return_object() {
      return Co(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };

  Co() = default;
  explicit Co(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Co(Co&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Co& operator=(Co&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Co() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
    handle_.promise().after = caller;
    return handle_;
  }
  void await_resume() const {}

  std::coroutine_handle<> handle() const { return handle_; }

 private:
  std::coroutine_handle<promise_type> handle_;
};

// Keeps the time and resumes the threads. Those that are due at the same time
// resume in the order in which they asked for it.
class Scheduler {
 public:
  int64_t now() const { return now_; }

  void resume_at(int64_t time, std::coroutine_handle<> handle) {
    queue_.push({time, sequence_++, handle});
  }
  void run() {
    while (!queue_.empty()) {
      const Item item = queue_.top();
      queue_.pop();
      now_ = item.time;
      item.handle.resume();
    }
  }

  struct Delay {
    Scheduler& scheduler;
    int64_t time;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> handle) {
      scheduler.resume_at(time, handle);
    }
    void await_resume() const {}
  };
  Delay delay(int64_t duration) { return {*this, now_ + duration}; }

 private:
  struct Item {
    int64_t time;
    uint64_t sequence;
    std::coroutine_handle<> handle;
    bool operator<(const Item& other) const {
      if (time != other.time) return time > other.time;
      return sequence > other.sequence;
    }
  };
  int64_t now_ = 0;
  uint64_t sequence_ = 0;
  std::priority_queue<Item> queue_;
};

// A thread that waits looks again at each change of what it waits for.
class Condition {
 public:
  void notify_all(Scheduler& scheduler) {
    for (const std::coroutine_handle<> handle : waiting_) {
      scheduler.resume_at(scheduler.now(), handle);
    }
    waiting_.clear();
  }

  struct Wait {
    Condition& condition;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> handle) {
      condition.waiting_.push_back(handle);
    }
    void await_resume() const {}
  };
  Wait changed() { return {*this}; }

 private:
  std::vector<std::coroutine_handle<>> waiting_;
};

}  // namespace poprt::oracle

#endif  // POPRT_TESTS_ORACLE_COROUTINE_H_
