#include "wrappers/node/node_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#if !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23
#endif

namespace poprt::mpi {
namespace {

// Making a file longer than the limit, or writing there, raises a signal.
bool file_may_have(size_t bytes) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

// Asks for the pages of the memory.  Writing raises a signal if there are none.
bool has_pages(void* memory, size_t bytes) {
  const size_t before = reinterpret_cast<uintptr_t>(memory) % page_bytes();
  // Linux before 5.14 does not have this request (EINVAL).
  return madvise(static_cast<char*>(memory) - before, before + bytes,
                 MADV_POPULATE_WRITE) == 0 ||
         errno == EINVAL;
}

}  // namespace

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

int new_shared_file(size_t bytes) {
  if (!file_may_have(bytes)) return -1;
  const int file = memfd_create("poprt", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

bool extend_shared_file(int file, size_t bytes) {
  return file_may_have(bytes) &&
         ftruncate(file, static_cast<off_t>(bytes)) == 0;
}

int open_shared_file(pid_t owner, int file) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%ld/fd/%d", static_cast<long>(owner),
                file);
  return open(path, O_RDWR | O_CLOEXEC);
}

void* map_shared(int file, size_t offset, size_t bytes, void* where) {
  const int flags = MAP_SHARED | (where == nullptr ? 0 : MAP_FIXED);
  void* const memory = mmap(where, bytes, PROT_READ | PROT_WRITE, flags, file,
                            static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return nullptr;
  // A core file would have all of it, and writing that file would make pages of
  // what was never used.
  madvise(memory, bytes, MADV_DONTDUMP);
  return memory;
}

AddressRange::AddressRange(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  next_ = static_cast<char*>(memory);
  left_ = bytes;
}

void* AddressRange::next(size_t bytes) {
  if (bytes > left_) return nullptr;
  void* const memory = next_;
  next_ += bytes;
  left_ -= bytes;
  return memory;
}

MemoryLimits memory_limits() {
  // The tool takes only a small share of a limit; the rest is the program's.
  constexpr uint64_t kShare = 64;
  constexpr uint64_t kMost = uint64_t{64} << 30;
  MemoryLimits limits{0, 0};
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0) {
    limits.address_bytes = limit.rlim_cur == RLIM_INFINITY
                               ? kMost
                               : std::min(kMost, limit.rlim_cur / kShare);
  }
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0) {
    limits.file_bytes = std::min<uint64_t>(kMost, limit.rlim_cur / 2);
  }
  return limits;
}

uint64_t block_bytes(const MemoryLimits& limits, size_t processes) {
  constexpr uint64_t kMost = uint64_t{256} << 20;
  const uint64_t bytes =
      std::min({kMost, limits.file_bytes, limits.address_bytes / processes});
  return bytes - bytes % Block::kLongBytes;
}

BlockArea::BlockArea(int file, size_t offset, size_t bytes) {
  // Without access rights: what locks or dumps all memory of a process leaves
  // this memory out.
  void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file,
                            static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return;
  madvise(memory, bytes, MADV_DONTDUMP);
  memory_ = static_cast<char*>(memory);
  bytes_ = bytes;
}

void* BlockArea::memory_of(Block block) {
  const size_t end = block.begin() + block.bytes();
  if (end > bytes_) return nullptr;
  if (end > accessible_) {
    // A long block at once, which saves calls.
    const size_t more = (end + Block::kLongBytes - 1) / Block::kLongBytes;
    const size_t accessible = std::min(bytes_, more * Block::kLongBytes);
    if (mprotect(memory_ + accessible_, accessible - accessible_,
                 PROT_READ | PROT_WRITE) != 0) {
      return nullptr;
    }
    accessible_ = accessible;
  }
  return memory_ + block.begin();
}

void* OwnBlocks::take(bool is_long, Block* block) {
  std::vector<uint32_t>& free = free_[is_long];
  const bool is_new = free.empty();
  *block = {is_new ? unused_ : free.back(), is_long};
  void* const memory = area_.memory_of(*block);
  if (memory == nullptr || !has_pages(memory, block->bytes())) return nullptr;
  if (!is_new) {
    free.pop_back();
    return memory;
  }
  constexpr uint32_t kShortInLong = Block::kLongBytes / Block::kShortBytes;
  for (uint32_t i = 1; !is_long && i < kShortInLong; ++i) {
    free.push_back(unused_ + kShortInLong - i);
  }
  unused_ += kShortInLong;
  return memory;
}

}  // namespace poprt::mpi
