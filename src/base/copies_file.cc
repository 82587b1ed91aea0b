#include "base/copies_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/stream.h"

namespace poprt {
namespace {

// A folder of this user in which nobody else can do anything.
bool is_own_folder(const std::string& path) {
  struct stat facts;
  if (lstat(path.c_str(), &facts) != 0) return false;
  if (S_ISDIR(facts.st_mode) && facts.st_uid == geteuid() &&
      (facts.st_mode & 022) == 0) {
    return true;
  }
  errno = EPERM;
  return false;
}

// Whether a file may be this long: writing behind the limit raises a signal.
bool may_have(size_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur) {
    return true;
  }
  errno = EFBIG;
  return false;
}

bool write_all(int file, std::string_view bytes, size_t offset) {
  while (!bytes.empty()) {
    const ssize_t written =
        pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

CopiesFile::CopiesFile(std::string folder, const std::string& name,
                       size_t alignment)
    : folder_(std::move(folder)),
      path_(folder_ + "/" + name),
      alignment_(alignment) {}

int CopiesFile::open_file() {
  constexpr int kFlags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  if (exists()) return open(path_.c_str(), kFlags);
  if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) return -1;
  if (!is_own_folder(folder_)) return -1;
  return open(path_.c_str(), kFlags | O_CREAT | O_EXCL, 0600);
}

// Somebody may have put another file there.
bool CopiesFile::is_this(int file) const {
  struct stat facts;
  if (fstat(file, &facts) != 0) return false;
  if (facts.st_dev == device_ && facts.st_ino == inode_) return true;
  errno = ESTALE;
  return false;
}

bool CopiesFile::write(std::string_view copy) {
  // Before the last copy if there is room, else behind it.
  const size_t offset =
      size_ == 0 || copy.size() <= offset_
          ? 0
          : (offset_ + size_ + alignment_ - 1) / alignment_ * alignment_;
  if (!may_have(offset + copy.size())) return false;
  const bool is_new = !exists();
  const int file = open_file();
  if (file < 0) {
    const int error = errno;
    if (is_new) rmdir(folder_.c_str());  // fails if others have files there
    errno = error;
    return false;
  }
  const NoWriteSignals no_signals;
  struct stat facts;
  if (is_new && fstat(file, &facts) == 0) {
    device_ = facts.st_dev;
    inode_ = facts.st_ino;
  }
  const bool written = is_this(file) && write_all(file, copy, offset);
  int error = errno;
  const bool closed = close(file) == 0;
  if (written && !closed) error = errno;
  if (written && closed) {
    offset_ = offset;
    size_ = copy.size();
    return true;
  }
  if (is_new) remove();
  errno = error;
  return false;
}

void CopiesFile::remove() {
  if (!exists()) return;
  struct stat facts;
  if (lstat(path_.c_str(), &facts) == 0 && facts.st_dev == device_ &&
      facts.st_ino == inode_) {
    unlink(path_.c_str());
  }
  inode_ = 0;
  offset_ = size_ = 0;
  rmdir(folder_.c_str());
}

}  // namespace poprt
