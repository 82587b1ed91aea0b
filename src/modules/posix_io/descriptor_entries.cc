// Calls with file descriptors.  Names with 64 are the same functions for large
// files, and names with _chk or _2 those that the compiler chooses with
// _FORTIFY_SOURCE.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>

#include "modules/posix_io/descriptors.h"
#include "modules/posix_io/entries.h"
#include "modules/posix_io/file_call.h"

namespace poprt::modules::posix_io {
namespace {

static_assert(sizeof(off_t) == 8, "names with 64 have the same types");

// The third argument of open(), which is there if a file may be made.
#define POPRT_MODE(flags)                                           \
  mode_t mode = 0;                                                  \
  if (((flags)&O_CREAT) != 0 || ((flags)&O_TMPFILE) == O_TMPFILE) { \
    va_list arguments;                                              \
    va_start(arguments, flags);                                     \
    mode = va_arg(arguments, mode_t);                               \
    va_end(arguments);                                              \
  }

template <FunctionName kName>
int my_open(const char* path, int flags, ...) {
  POPRT_MODE(flags)
  return opening([&] {
    return g_function<kName, int(const char*, int, ...)>(path, flags, mode);
  });
}
template <FunctionName kName>
int my_openat(int folder, const char* path, int flags, ...) {
  POPRT_MODE(flags)
  return opening([&] {
    return g_function<kName, int(int, const char*, int, ...)>(folder, path,
                                                              flags, mode);
  });
}
template <FunctionName kName>
Entry open_entry() {
  return entry(kName.text, my_open<kName>,
               g_function<kName, int(const char*, int, ...)>);
}
template <FunctionName kName>
Entry openat_entry() {
  return entry(kName.text, my_openat<kName>,
               g_function<kName, int(int, const char*, int, ...)>);
}
struct Opens {
  static int call(const auto& function, auto... arguments) {
    return opening([&] { return function(arguments...); });
  }
};

struct Closes {
  static int call(const auto& function, int file) {
    return closing(file, [&] { return function(file); });
  }
};
struct ClosesRange {
  static int call(const auto& function, unsigned first, unsigned last,
                  int flags) {
    const int result = function(first, last, flags);
    forget_range(first, last);
    return result;
  }
};
struct ClosesFrom {
  static void call(const auto& function, int first) {
    function(first);
    forget_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0U);
  }
};
// Puts another file in the place of an open one.
struct Replaces {
  static int call(const auto& function, int old, int file, auto... flags) {
    const int result = function(old, file, flags...);
    forget(file);
    return result;
  }
};

// What the call is about comes first.
struct Reads {
  static ssize_t call(const auto& function, int file, auto... rest) {
    return reading(file, [&] { return function(file, rest...); });
  }
};
struct Writes {
  static ssize_t call(const auto& function, int file, auto... rest) {
    return writing(file, [&] { return function(file, rest...); });
  }
};
struct IsOn {
  static auto call(const auto& function, int file, auto... rest) {
    return on(file, [&] { return function(file, rest...); });
  }
};

// Reads from one file and writes to another one, or to a socket.
struct Sends {
  static ssize_t call(const auto& function, int out, int in, off_t* at,
                      size_t size) {
    const auto send = [&] { return function(out, in, at, size); };
    Thread* const thread = working_thread();
    if (thread == nullptr) return send();
    const int from = file_system_of(in);
    const int to = file_system_of(out);
    const bool reads = from != kNotAFile;
    const bool writes = to != kNotAFile;
    if (!reads && !writes) return send();
    FileCall measured(*thread, reads ? from : to);
    const ssize_t result = send();
    measured.end(reads ? &kPosixIoRead : &kPosixIoWritten, result,
                 reads ? in : out);
    if (reads && writes && result > 0) {
      thread->add_amount(kPosixIoWritten, result);
      g_file_systems.add_bytes(to, 0, result);
    }
    return result;
  }
};

using Open2 = int(const char*, int);
using OpenAt2 = int(int, const char*, int);
using Create = int(const char*, mode_t);
using ReadAt = ssize_t(int, void*, size_t, off_t);
using ReadAtChecked = ssize_t(int, void*, size_t, off_t, size_t);
using WriteAt = ssize_t(int, const void*, size_t, off_t);
using MoveParts = ssize_t(int, const iovec*, int);
using MovePartsAt = ssize_t(int, const iovec*, int, off_t);
using MovePartsAtWith = ssize_t(int, const iovec*, int, off_t, int);
using Seek = off_t(int, off_t, int);
using Send = ssize_t(int, int, off_t*, size_t);

}  // namespace

std::vector<Entry> descriptor_entries() {
  return {
      open_entry<"open">(),
      open_entry<"open64">(),
      openat_entry<"openat">(),
      openat_entry<"openat64">(),
      entry<"__open_2", Open2, Opens>(),
      entry<"__open64_2", Open2, Opens>(),
      entry<"__openat_2", OpenAt2, Opens>(),
      entry<"__openat64_2", OpenAt2, Opens>(),
      entry<"creat", Create, Opens>(),
      entry<"creat64", Create, Opens>(),
      entry<"close", int(int), Closes>(),
      entry<"close_range", int(unsigned, unsigned, int), ClosesRange>(),
      entry<"closefrom", void(int), ClosesFrom>(),
      entry<"dup2", int(int, int), Replaces>(),
      entry<"dup3", int(int, int, int), Replaces>(),
      entry<"read", ssize_t(int, void*, size_t), Reads>(),
      entry<"__read_chk", ssize_t(int, void*, size_t, size_t), Reads>(),
      entry<"write", ssize_t(int, const void*, size_t), Writes>(),
      entry<"pread", ReadAt, Reads>(),
      entry<"pread64", ReadAt, Reads>(),
      entry<"__pread_chk", ReadAtChecked, Reads>(),
      entry<"__pread64_chk", ReadAtChecked, Reads>(),
      entry<"pwrite", WriteAt, Writes>(),
      entry<"pwrite64", WriteAt, Writes>(),
      entry<"readv", MoveParts, Reads>(),
      entry<"writev", MoveParts, Writes>(),
      entry<"preadv", MovePartsAt, Reads>(),
      entry<"preadv64", MovePartsAt, Reads>(),
      entry<"pwritev", MovePartsAt, Writes>(),
      entry<"pwritev64", MovePartsAt, Writes>(),
      entry<"preadv2", MovePartsAtWith, Reads>(),
      entry<"preadv64v2", MovePartsAtWith, Reads>(),
      entry<"pwritev2", MovePartsAtWith, Writes>(),
      entry<"pwritev64v2", MovePartsAtWith, Writes>(),
      entry<"fsync", int(int), IsOn>(),
      entry<"fdatasync", int(int), IsOn>(),
      entry<"lseek", Seek, IsOn>(),
      entry<"lseek64", Seek, IsOn>(),
      entry<"sendfile", Send, Sends>(),
      entry<"sendfile64", Send, Sends>(),
  };
}

}  // namespace poprt::modules::posix_io
