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

struct Mapping {
  size_t begin = 0;
  size_t end = 0;
  bool behind_guard = false;  // directly below is one that cannot be accessed
};

// Finds the mapping that an address is in, in the lines of /proc/self/maps,
// which come one by one.
class MappingSearch {
 public:
  explicit MappingSearch(size_t here) : here_(here) {}
  // False: no further line is needed.
  bool take(std::string_view line);
  // No bytes: there is none.
  const Mapping& found() const { return found_; }

 private:
  const size_t here_;
  size_t end_before_ = 0;
  bool guard_before_ = false;  // the mapping before cannot be accessed
  Mapping found_;
};

}  // namespace poprt

#endif  // POPRT_BASE_STACK_LEFT_H_
