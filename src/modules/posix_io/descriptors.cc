#include "modules/posix_io/descriptors.h"

#include <sys/stat.h>

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

}  // namespace

int file_system_of(int descriptor) {
  if (descriptor < 0) return kNotAFile;
  const bool is_remembered = descriptor < kRemembered;
  if (is_remembered) {
    const uint8_t kind = g_kinds[descriptor].load(std::memory_order_relaxed);
    if (kind != kUnknown) return kind - kFile;
  }
  const int saved = errno;
  struct stat status;
  const bool is_open = fstat(descriptor, &status) == 0;
  errno = saved;
  if (!is_open) return kNotAFile;
  const bool is_file = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
  const int place =
      is_file ? place_of_device(status.st_dev, descriptor) : kNotAFile;
  // Another thread may be about to learn of this file system.
  if (is_remembered && place != kNoFileSystem) {
    g_kinds[descriptor].store(static_cast<uint8_t>(kFile + place),
                              std::memory_order_relaxed);
  }
  return place;
}

void forget(int descriptor) {
  if (descriptor < 0 || descriptor >= kRemembered) return;
  g_kinds[descriptor].store(kUnknown, std::memory_order_relaxed);
}

int descriptor_of(FILE* stream) {
  if (stream == nullptr) return -1;
  const int saved = errno;
  const int descriptor = fileno_unlocked(stream);
  errno = saved;
  return descriptor;
}

}  // namespace poprt::modules::posix_io
