#include "base/stack_left.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "base/own_stack.h"

namespace poprt {
namespace {

// The kernel keeps at least so much free for the stack of the first thread.
constexpr size_t kKeptFree = size_t{128} << 20;
// Static thread-local data and the thread's own data, which are above the
// frames.
constexpr size_t kMostThreadData = size_t{256} << 10;

// A system call of its own: open() and read() may be the program's, or
// interposed.
void read_maps(StackSearch* search) {
  const long file =
      syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  // Begins of lines are enough: what comes behind is the rest of a path.
  char text[512];
  size_t filled = 0;
  bool cut = false;
  bool more = true;
  while (more) {
    const long got =
        syscall(SYS_read, file, text + filled, sizeof text - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<size_t>(got);
    size_t begin = 0;
    while (more) {
      const void* const end = std::memchr(text + begin, '\n', filled - begin);
      const size_t line_end =
          end == nullptr
              ? filled
              : static_cast<size_t>(static_cast<const char*>(end) - text);
      if (end == nullptr && (begin > 0 || filled < sizeof text)) break;
      if (!cut) more = search->take({text + begin, line_end - begin});
      cut = end == nullptr;
      begin = std::min(line_end + 1, filled);
      if (begin == filled) break;
    }
    std::memmove(text, text + begin, filled - begin);
    filled -= begin;
  }
  syscall(SYS_close, file);
}

// These random bytes are near the end of the stack.
size_t left_of_first_thread(size_t here, size_t limit) {
  const size_t end = getauxval(AT_RANDOM);
  return here < end && end - here < limit ? limit - (end - here) : 0;
}

}  // namespace

bool StackSearch::take(std::string_view line) {
  const char* const text_end = line.data() + line.size();
  size_t begin = 0;
  size_t end = 0;
  auto at = std::from_chars(line.data(), text_end, begin, 16);
  if (at.ptr == text_end || *at.ptr != '-') return true;
  at = std::from_chars(at.ptr + 1, text_end, end, 16);
  const std::string_view rest(at.ptr, static_cast<size_t>(text_end - at.ptr));
  if (here_ < begin) return false;
  if (here_ >= end) {
    end_before_ = end;
    guard_before_ = rest.starts_with(" ---");
    return true;
  }
  if (guard_before_ && end_before_ == begin && thread_pointer_ > here_ &&
      thread_pointer_ < end && end - thread_pointer_ < kMostThreadData) {
    left_ = here_ - begin;
  }
  return false;
}

size_t stack_left() {
  char* const frame = static_cast<char*>(__builtin_frame_address(0));
  const auto here = reinterpret_cast<uintptr_t>(frame);
  if (const OwnStack* const own = own_stack_at(here)) return here - own->low;
  const int error = errno;
  stack_t alternate;
  rlimit limit;
  size_t left = 0;
  if (sigaltstack(nullptr, &alternate) != 0 ||
      (alternate.ss_flags & SS_ONSTACK) != 0 ||
      getrlimit(RLIMIT_STACK, &limit) != 0) {
    // Not known.
  } else if (syscall(SYS_gettid) == getpid()) {
    left =
        left_of_first_thread(here, std::min<size_t>(limit.rlim_cur, kKeptFree));
  } else {
    StackSearch search(here,
                       reinterpret_cast<uintptr_t>(__builtin_thread_pointer()));
    read_maps(&search);
    left = search.left();
  }
  errno = error;
  return left;
}

}  // namespace poprt
