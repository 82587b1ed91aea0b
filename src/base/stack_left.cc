#include "base/stack_left.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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
// More is not looked for.
constexpr size_t kEnough = size_t{512} << 10;
constexpr size_t kLeastPage = 4096;  // the smallest there is

// A system call of its own: open() and read() may be the program's, or
// interposed.
void read_maps(MappingSearch* search) {
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

// How many pages can be read before the first one that cannot be: that of
// `place`, and `count` in all upwards (`step` is kLeastPage) or downwards
// (-kLeastPage).
size_t readable_pages(size_t place, size_t step, size_t count) {
  constexpr size_t kAtOnce = 32;
  char bytes[kAtOnce];
  iovec pages[kAtOnce];
  size_t found = 0;
  while (found < count) {
    const size_t asked = std::min(kAtOnce, count - found);
    for (size_t i = 0; i < asked; ++i) {
      pages[i] = {reinterpret_cast<void*>(place + (found + i) * step), 1};
    }
    const iovec to = {bytes, asked};
    const long got =
        syscall(SYS_process_vm_readv, getpid(), &to, 1L, pages, asked, 0L);
    if (got > 0) found += static_cast<size_t>(got);
    if (got != static_cast<long>(asked)) break;
  }
  return found;
}

// glibc keeps a thread's data, to which its thread pointer leads, at the end of
// its stack, and a guard at the begin.  Since glibc 2.42 and Linux 6.13 a guard
// is no mapping of its own, and a mapping may be the stacks of several threads.
size_t left_in(const Mapping& mapping, size_t here, size_t thread_pointer) {
  if (thread_pointer <= here || thread_pointer >= mapping.end) return 0;
  if (!mapping.behind_guard &&
      readable_pages(mapping.begin, kLeastPage, 1) != 0) {
    return 0;  // other memory, part of which may be a stack
  }
  const size_t page = here / kLeastPage * kLeastPage;
  const size_t most_above =
      std::min(mapping.end, thread_pointer + kMostThreadData + kLeastPage) -
      page;
  const size_t above =
      readable_pages(page, kLeastPage, most_above / kLeastPage);
  const size_t end = page + above * kLeastPage;
  if (end <= thread_pointer || end - thread_pointer >= kMostThreadData) {
    return 0;  // a fibre's, or one of several without guards
  }
  const size_t most_below = std::min(page - mapping.begin, kEnough);
  const size_t below =
      readable_pages(page - kLeastPage, -kLeastPage, most_below / kLeastPage);
  return here - page + below * kLeastPage;
}

}  // namespace

bool MappingSearch::take(std::string_view line) {
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
  found_ = {begin, end, guard_before_ && end_before_ == begin};
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
    MappingSearch search(here);
    read_maps(&search);
    left = left_in(search.found(), here,
                   reinterpret_cast<uintptr_t>(__builtin_thread_pointer()));
  }
  errno = error;
  return left;
}

}  // namespace poprt
