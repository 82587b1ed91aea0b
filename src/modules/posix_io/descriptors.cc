#include "modules/posix_io/descriptors.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "measure/file_systems.h"

namespace poprt::modules::posix_io {
namespace {

// What is remembered of a descriptor; from kFile on, the place of its file
// system.
enum Kind : uint8_t { kUnknown, kOther, kFile };

// The kernel is asked once for each descriptor that is opened.  Higher numbers
// are asked for at each call.
constexpr int kRemembered = 4096;
std::atomic<uint8_t> g_kinds[kRemembered];
static_assert(kOther == kFile + kNotAFile);

struct Status {
  bool is_open = false;
  mode_t mode = 0;
  dev_t device = 0;
};

// Without a question to the server of a file system: fstat() on a file that was
// written makes NFS write it out.
Status status_of(int descriptor) {
  struct statx fresh = {};
  if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE,
            &fresh) == 0) {
    return {true, fresh.stx_mode,
            makedev(fresh.stx_dev_major, fresh.stx_dev_minor)};
  }
  struct stat status;  // containers may refuse statx()
  if (fstat(descriptor, &status) != 0) return {};
  return {true, status.st_mode, status.st_dev};
}

}  // namespace

int present_file_system_of(int descriptor) {
  const int saved = errno;
  const Status status = status_of(descriptor);
  errno = saved;
  if (!status.is_open) return kNotAFile;
  const bool is_file = S_ISREG(status.mode) || S_ISBLK(status.mode);
  const int place =
      is_file ? place_of_device(status.device, descriptor) : kNotAFile;
  // Another thread may be about to learn of this file system.
  if (descriptor < kRemembered && place != kNoFileSystem) {
    g_kinds[descriptor].store(static_cast<uint8_t>(kFile + place),
                              std::memory_order_relaxed);
  }
  return place;
}

int file_system_of(int descriptor) {
  if (descriptor < 0) return kNotAFile;
  if (descriptor < kRemembered) {
    const uint8_t kind = g_kinds[descriptor].load(std::memory_order_relaxed);
    if (kind != kUnknown) return kind - kFile;
  }
  return present_file_system_of(descriptor);
}

void forget(int descriptor) {
  if (descriptor < 0 || descriptor >= kRemembered) return;
  g_kinds[descriptor].store(kUnknown, std::memory_order_relaxed);
}

void forget_range(unsigned first, unsigned last) {
  for (unsigned i = first; i <= last && i < kRemembered; ++i) {
    g_kinds[i].store(kUnknown, std::memory_order_relaxed);
  }
}

int descriptor_of(FILE* stream) {
  if (stream == nullptr) return -1;
  const int saved = errno;
  const int descriptor = fileno_unlocked(stream);
  errno = saved;
  return descriptor;
}

}  // namespace poprt::modules::posix_io
