// How much of its stack a thread has left.
#ifndef POPRT_BASE_STACK_LEFT_H_
#define POPRT_BASE_STACK_LEFT_H_

#include <cstddef>
#include <string_view>

namespace poprt {

// At least so many bytes of the stack are free below the caller's frame; 0 if
// that is not known, as on a fibre's stack.  For any thread at any time, also
// in a signal handler: takes no memory.
size_t stack_left();

// Finds a thread's stack in the lines of /proc/self/maps, which come one by
// one. Not that of the process's first thread.
class StackSearch {
 public:
  // `here`: an address in the thread's frame.  glibc keeps a thread's data, to
  // which its thread pointer leads, at the end of its stack.
  StackSearch(size_t here, size_t thread_pointer)
      : here_(here), thread_pointer_(thread_pointer) {}
  // False: no further line is needed.
  bool take(std::string_view line);
  size_t left() const { return left_; }

 private:
  const size_t here_;
  const size_t thread_pointer_;
  size_t end_before_ = 0;
  bool guard_before_ = false;  // the mapping before cannot be accessed
  size_t left_ = 0;
};

}  // namespace poprt

#endif  // POPRT_BASE_STACK_LEFT_H_
