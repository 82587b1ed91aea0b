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

// Filled in by EntrySlots.
constinit Function<int(const char*, int, ...)> real_open, real_open64;
constinit Function<int(int, const char*, int, ...)> real_openat, real_openat64;
constinit Function<int(const char*, int)> real_open_2, real_open64_2;
constinit Function<int(int, const char*, int)> real_openat_2, real_openat64_2;
constinit Function<int(const char*, mode_t)> real_creat, real_creat64;
constinit Function<int(int)> real_close, real_fsync, real_fdatasync;
constinit Function<int(unsigned, unsigned, int)> real_close_range;
constinit Function<void(int)> real_closefrom;
constinit Function<int(int, int)> real_dup2;
constinit Function<int(int, int, int)> real_dup3;
constinit Function<ssize_t(int, void*, size_t)> real_read;
constinit Function<ssize_t(int, void*, size_t, size_t)> real_read_chk;
constinit Function<ssize_t(int, const void*, size_t)> real_write;
constinit Function<ssize_t(int, void*, size_t, off_t)> real_pread, real_pread64;
constinit Function<ssize_t(int, void*, size_t, off_t, size_t)> real_pread_chk,
    real_pread64_chk;
constinit Function<ssize_t(int, const void*, size_t, off_t)> real_pwrite,
    real_pwrite64;
constinit Function<ssize_t(int, const iovec*, int)> real_readv, real_writev;
constinit Function<ssize_t(int, const iovec*, int, off_t)> real_preadv,
    real_preadv64, real_pwritev, real_pwritev64;
constinit Function<ssize_t(int, const iovec*, int, off_t, int)> real_preadv2,
    real_preadv64v2, real_pwritev2, real_pwritev64v2;
constinit Function<off_t(int, off_t, int)> real_lseek, real_lseek64;
constinit Function<ssize_t(int, int, off_t*, size_t)> real_sendfile,
    real_sendfile64;

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

int my_open(const char* path, int flags, ...) {
  POPRT_MODE(flags)
  return opening([&] { return real_open(path, flags, mode); });
}
int my_open64(const char* path, int flags, ...) {
  POPRT_MODE(flags)
  return opening([&] { return real_open64(path, flags, mode); });
}
int my_openat(int folder, const char* path, int flags, ...) {
  POPRT_MODE(flags)
  return opening([&] { return real_openat(folder, path, flags, mode); });
}
int my_openat64(int folder, const char* path, int flags, ...) {
  POPRT_MODE(flags)
  return opening([&] { return real_openat64(folder, path, flags, mode); });
}
int my_open_2(const char* path, int flags) {
  return opening([&] { return real_open_2(path, flags); });
}
int my_open64_2(const char* path, int flags) {
  return opening([&] { return real_open64_2(path, flags); });
}
int my_openat_2(int folder, const char* path, int flags) {
  return opening([&] { return real_openat_2(folder, path, flags); });
}
int my_openat64_2(int folder, const char* path, int flags) {
  return opening([&] { return real_openat64_2(folder, path, flags); });
}
int my_creat(const char* path, mode_t mode) {
  return opening([&] { return real_creat(path, mode); });
}
int my_creat64(const char* path, mode_t mode) {
  return opening([&] { return real_creat64(path, mode); });
}

int my_close(int file) {
  return closing(file, [&] { return real_close(file); });
}
int my_close_range(unsigned first, unsigned last, int flags) {
  const int result = real_close_range(first, last, flags);
  forget_range(first, last);
  return result;
}
void my_closefrom(int first) {
  real_closefrom(first);
  forget_range(first < 0 ? 0 : static_cast<unsigned>(first), ~0U);
}
// These put another file in the place of an open one.
int my_dup2(int old, int file) {
  const int result = real_dup2(old, file);
  forget(file);
  return result;
}
int my_dup3(int old, int file, int flags) {
  const int result = real_dup3(old, file, flags);
  forget(file);
  return result;
}

ssize_t my_read(int file, void* data, size_t size) {
  return reading(file, [&] { return real_read(file, data, size); });
}
ssize_t my_read_chk(int file, void* data, size_t size, size_t room) {
  return reading(file, [&] { return real_read_chk(file, data, size, room); });
}
ssize_t my_write(int file, const void* data, size_t size) {
  return writing(file, [&] { return real_write(file, data, size); });
}
ssize_t my_pread(int file, void* data, size_t size, off_t at) {
  return reading(file, [&] { return real_pread(file, data, size, at); });
}
ssize_t my_pread64(int file, void* data, size_t size, off_t at) {
  return reading(file, [&] { return real_pread64(file, data, size, at); });
}
ssize_t my_pread_chk(int file, void* data, size_t size, off_t at, size_t room) {
  return reading(file,
                 [&] { return real_pread_chk(file, data, size, at, room); });
}
ssize_t my_pread64_chk(int file, void* data, size_t size, off_t at,
                       size_t room) {
  return reading(file,
                 [&] { return real_pread64_chk(file, data, size, at, room); });
}
ssize_t my_pwrite(int file, const void* data, size_t size, off_t at) {
  return writing(file, [&] { return real_pwrite(file, data, size, at); });
}
ssize_t my_pwrite64(int file, const void* data, size_t size, off_t at) {
  return writing(file, [&] { return real_pwrite64(file, data, size, at); });
}
ssize_t my_readv(int file, const iovec* parts, int count) {
  return reading(file, [&] { return real_readv(file, parts, count); });
}
ssize_t my_writev(int file, const iovec* parts, int count) {
  return writing(file, [&] { return real_writev(file, parts, count); });
}
ssize_t my_preadv(int file, const iovec* parts, int count, off_t at) {
  return reading(file, [&] { return real_preadv(file, parts, count, at); });
}
ssize_t my_preadv64(int file, const iovec* parts, int count, off_t at) {
  return reading(file, [&] { return real_preadv64(file, parts, count, at); });
}
ssize_t my_pwritev(int file, const iovec* parts, int count, off_t at) {
  return writing(file, [&] { return real_pwritev(file, parts, count, at); });
}
ssize_t my_pwritev64(int file, const iovec* parts, int count, off_t at) {
  return writing(file, [&] { return real_pwritev64(file, parts, count, at); });
}
ssize_t my_preadv2(int file, const iovec* parts, int count, off_t at,
                   int flags) {
  return reading(file,
                 [&] { return real_preadv2(file, parts, count, at, flags); });
}
ssize_t my_preadv64v2(int file, const iovec* parts, int count, off_t at,
                      int flags) {
  return reading(
      file, [&] { return real_preadv64v2(file, parts, count, at, flags); });
}
ssize_t my_pwritev2(int file, const iovec* parts, int count, off_t at,
                    int flags) {
  return writing(file,
                 [&] { return real_pwritev2(file, parts, count, at, flags); });
}
ssize_t my_pwritev64v2(int file, const iovec* parts, int count, off_t at,
                       int flags) {
  return writing(
      file, [&] { return real_pwritev64v2(file, parts, count, at, flags); });
}

int my_fsync(int file) {
  return on(file, [&] { return real_fsync(file); });
}
int my_fdatasync(int file) {
  return on(file, [&] { return real_fdatasync(file); });
}
off_t my_lseek(int file, off_t offset, int whence) {
  return on(file, [&] { return real_lseek(file, offset, whence); });
}
off_t my_lseek64(int file, off_t offset, int whence) {
  return on(file, [&] { return real_lseek64(file, offset, whence); });
}

// Reads from one file and writes to another one, or to a socket.
template <class Call>
ssize_t sending(int out, int in, Call call) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return call();
  const int from = file_system_of(in);
  const int to = file_system_of(out);
  const bool reads = from != kNotAFile;
  const bool writes = to != kNotAFile;
  if (!reads && !writes) return call();
  FileCall measured(*thread, reads ? from : to);
  const ssize_t result = call();
  measured.end(reads ? &kPosixIoRead : &kPosixIoWritten, result,
               reads ? in : out);
  if (reads && writes && result > 0) {
    thread->add_amount(kPosixIoWritten, result);
    g_file_systems.add_bytes(to, 0, result);
  }
  return result;
}
ssize_t my_sendfile(int out, int in, off_t* at, size_t size) {
  return sending(out, in, [&] { return real_sendfile(out, in, at, size); });
}
ssize_t my_sendfile64(int out, int in, off_t* at, size_t size) {
  return sending(out, in, [&] { return real_sendfile64(out, in, at, size); });
}

}  // namespace

std::vector<Entry> descriptor_entries() {
  return {
      entry("open", my_open, real_open),
      entry("open64", my_open64, real_open64),
      entry("openat", my_openat, real_openat),
      entry("openat64", my_openat64, real_openat64),
      entry("__open_2", my_open_2, real_open_2),
      entry("__open64_2", my_open64_2, real_open64_2),
      entry("__openat_2", my_openat_2, real_openat_2),
      entry("__openat64_2", my_openat64_2, real_openat64_2),
      entry("creat", my_creat, real_creat),
      entry("creat64", my_creat64, real_creat64),
      entry("close", my_close, real_close),
      entry("close_range", my_close_range, real_close_range),
      entry("closefrom", my_closefrom, real_closefrom),
      entry("dup2", my_dup2, real_dup2),
      entry("dup3", my_dup3, real_dup3),
      entry("read", my_read, real_read),
      entry("__read_chk", my_read_chk, real_read_chk),
      entry("write", my_write, real_write),
      entry("pread", my_pread, real_pread),
      entry("pread64", my_pread64, real_pread64),
      entry("__pread_chk", my_pread_chk, real_pread_chk),
      entry("__pread64_chk", my_pread64_chk, real_pread64_chk),
      entry("pwrite", my_pwrite, real_pwrite),
      entry("pwrite64", my_pwrite64, real_pwrite64),
      entry("readv", my_readv, real_readv),
      entry("writev", my_writev, real_writev),
      entry("preadv", my_preadv, real_preadv),
      entry("preadv64", my_preadv64, real_preadv64),
      entry("pwritev", my_pwritev, real_pwritev),
      entry("pwritev64", my_pwritev64, real_pwritev64),
      entry("preadv2", my_preadv2, real_preadv2),
      entry("preadv64v2", my_preadv64v2, real_preadv64v2),
      entry("pwritev2", my_pwritev2, real_pwritev2),
      entry("pwritev64v2", my_pwritev64v2, real_pwritev64v2),
      entry("fsync", my_fsync, real_fsync),
      entry("fdatasync", my_fdatasync, real_fdatasync),
      entry("lseek", my_lseek, real_lseek),
      entry("lseek64", my_lseek64, real_lseek64),
      entry("sendfile", my_sendfile, real_sendfile),
      entry("sendfile64", my_sendfile64, real_sendfile64),
  };
}

}  // namespace poprt::modules::posix_io
