#include "modules/posix_io/mapped_files.h"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "model/noted.h"
#include "modules/posix_io/descriptors.h"
#include "modules/posix_io/file_call.h"

namespace poprt::modules::posix_io {
namespace {

using Map = void*(void*, size_t, int, int, int, off_t);

// The name is written once, between the first state and the last one.
enum Known : int { kNone, kFinding, kNamed };
std::atomic<int> g_known{kNone};
char g_name[256];

// Memory that has a name, such as POSIX shared memory, is no file.
bool is_memory(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 &&
         (status.f_type == TMPFS_MAGIC || status.f_type == HUGETLBFS_MAGIC);
}

// May be called in signal handlers.
void remember(int descriptor) {
  if (g_known.load(std::memory_order_relaxed) != kNone ||
      working_thread() == nullptr || file_system_of(descriptor) == kNotAFile ||
      is_memory(descriptor)) {
    return;
  }
  int none = kNone;
  if (!g_known.compare_exchange_strong(none, kFinding)) return;
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, g_name, sizeof g_name - 1);
  g_name[length > 0 ? length : 0] = '\0';
  g_known.store(kNamed, std::memory_order_release);
}

struct Maps {
  static void* call(const Function<Map>& function, void* at, size_t size,
                    int rights, int flags, int file, off_t offset) {
    void* const memory = function(at, size, rights, flags, file, offset);
    if (memory != MAP_FAILED && (flags & MAP_ANONYMOUS) == 0) {
      const int saved = errno;
      remember(file);
      errno = saved;
    }
    return memory;
  }
};

}  // namespace

std::vector<Entry> mapping_entries() {
  return {entry<"mmap", Map, Maps>(), entry<"mmap64", Map, Maps>()};
}

std::string mapped_files_note() {
  if (g_known.load(std::memory_order_acquire) != kNamed) return "";
  return noted<"io_mapped">(g_name);
}

void forget_mapped_files() { g_known.store(kNone, std::memory_order_relaxed); }

}  // namespace poprt::modules::posix_io
