// Memory that the processes of a node share.  All of it is mapped in MPI_Init,
// while all processes are there.  So no file descriptor stays open that the
// program could close or reuse, and no file has to be opened later, which fails
// if the program changes its user (setuid) or forbids access to its /proc
// entries.
#ifndef POPRT_WRAPPERS_NODE_MEMORY_H_
#define POPRT_WRAPPERS_NODE_MEMORY_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace poprt::mpi {

// A file without a name that other processes can open by /proc/<pid>/fd, and
// that disappears with the last process that uses it. -1: none.
int new_shared_file(size_t bytes);
// False: not possible.
bool extend_shared_file(int file, size_t bytes);
int open_shared_file(pid_t owner, int file);
// Null if that is not possible.
void* map_shared(int file, size_t offset, size_t bytes);

// How much memory the limits of a process allow: address space in all, and the
// size of one file.
struct MemoryLimits {
  uint64_t address_bytes;
  uint64_t file_bytes;
};
MemoryLimits memory_limits();

// Blocks of equal size.  A block takes no memory before it is used.
class BlockArea {
 public:
  static constexpr size_t kBlockBytes = size_t{64} << 10;

  BlockArea() = default;
  // Maps the file from `offset` on.  The file may be shorter.
  BlockArea(int file, size_t offset, size_t bytes);

  size_t count() const { return bytes_ / kBlockBytes; }
  // The block of that number.  Null: there is none, or it cannot be made
  // accessible.
  void* block(uint32_t number);

 private:
  char* memory_ = nullptr;
  size_t bytes_ = 0;
  size_t accessible_ = 0;
};

// Hands out the blocks of this process.
class OwnBlocks {
 public:
  OwnBlocks() = default;
  explicit OwnBlocks(BlockArea area) : area_(area) {}

  // A block of zeros, and its number.  Null: there is no memory.
  void* take(uint32_t* number);
  // Takes a block back.  REQUIRES: it is all zero, and no process uses it.
  void recycle(uint32_t number) { free_.push_back(number); }

 private:
  BlockArea area_;
  std::vector<uint32_t> free_;
  uint32_t unused_ = 0;  // blocks from this number on were never used
};

// How many bytes each of `processes` may offer, so that each of them can map
// the memory of all.
uint64_t block_bytes(const MemoryLimits& limits, size_t processes);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_MEMORY_H_
