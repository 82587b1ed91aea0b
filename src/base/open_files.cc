#include "base/open_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>

namespace poprt {
namespace {

// Stdout, stderr and one other; the descriptor is stored last.
struct Noted {
  std::atomic<int> descriptor{-1};
  FileIdentity file;
};
constinit Noted g_noted[3];

void note(int descriptor, Noted* noted) {
  noted->file = identity_of(descriptor);
  noted->descriptor.store(descriptor, std::memory_order_release);
}

}  // namespace

FileIdentity identity_of(int descriptor) {
  const int error = errno;
  FileIdentity file;
  struct statx facts = {};
  struct stat old_facts;
  // Containers may refuse statx().
  if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
            STATX_INO | STATX_BTIME, &facts) == 0) {
    file = {true, {facts.stx_dev_major, facts.stx_dev_minor}, facts.stx_ino};
    if ((facts.stx_mask & STATX_BTIME) != 0) {
      file.made_ns =
          facts.stx_btime.tv_sec * 1'000'000'000 + facts.stx_btime.tv_nsec;
    }
  } else if (fstat(descriptor, &old_facts) == 0) {
    file = {true,
            {major(old_facts.st_dev), minor(old_facts.st_dev)},
            old_facts.st_ino};
  }
  errno = error;
  return file;
}

void note_standard_files() {
  note(STDOUT_FILENO, &g_noted[0]);
  note(STDERR_FILENO, &g_noted[1]);
}

void note_file_of(int descriptor) {
  if (descriptor > STDERR_FILENO) note(descriptor, &g_noted[2]);
}

const char* why_not_written(int descriptor) {
  if (descriptor < 0) return nullptr;
  for (const Noted& noted : g_noted) {
    if (noted.descriptor.load(std::memory_order_acquire) != descriptor) {
      continue;
    }
    if (!noted.file.is_open) return "was closed when the program began";
    const FileIdentity now = identity_of(descriptor);
    if (now == noted.file) return nullptr;
    return now.is_open ? "is another file than when the program began"
                       : "is closed";
  }
  return nullptr;
}

int descriptor_named_by(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, folder.size()) != folder) continue;
    const std::string_view number = path.substr(folder.size());
    int file = -1;
    const auto end =
        std::from_chars(number.data(), number.data() + number.size(), file);
    return end.ec == std::errc() && end.ptr == number.data() + number.size()
               ? file
               : -1;
  }
  return -1;
}

int KeptFile::descriptor() const {
  return file_.is_open && identity_of(descriptor_) == file_ ? descriptor_ : -1;
}

void KeptFile::close() const {
  if (const int open = descriptor(); open >= 0) ::close(open);
}

}  // namespace poprt
