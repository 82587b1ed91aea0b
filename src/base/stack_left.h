// How much of its stack a thread has left.
#ifndef POPRT_BASE_STACK_LEFT_H_
#define POPRT_BASE_STACK_LEFT_H_

#include <cstddef>
#include <string_view>

namespace poprt {

// At least so many bytes of the stack are free below the caller's frame; 0 if
// that is not known, as on a fibre's stack.  For any thread at any time, also
// in a signal handler: asks the kernel, and takes no memory.
size_t stack_left();

// What stack_left() knows of the calling thread.
struct StackPlace {
  size_t here;            // an address in its frame
  size_t thread_pointer;  // glibc keeps a thread's data at the end of its stack
  bool primary;           // the process's first thread
  size_t limit;           // RLIMIT_STACK
};

// Finds the stack in the lines of /proc/self/maps, which come one by one.
class StackSearch {
 public:
  explicit StackSearch(const StackPlace& place) : place_(place) {}
  // False: no further line is needed.
  bool take(std::string_view line);
  size_t left() const { return left_; }

 private:
  const StackPlace place_;
  size_t end_before_ = 0;
  bool guard_before_ = false;  // the mapping before cannot be accessed
  size_t left_ = 0;
};

}  // namespace poprt

#endif  // POPRT_BASE_STACK_LEFT_H_
