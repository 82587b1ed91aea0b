// Memory that the processes of a node share.  All of it is mapped in MPI_Init,
// while all processes are there.  So no file descriptor stays open that the
// program could close or reuse, and no file has to be opened later, which fails
// if the program changes its user (setuid) or forbids access to its /proc
// entries.
#ifndef POPRT_WRAPPERS_NODE_NODE_MEMORY_H_
#define POPRT_WRAPPERS_NODE_NODE_MEMORY_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace poprt::mpi {

// The size of a page, by which files are mapped, and bytes in whole ones.
size_t page_bytes();
inline size_t whole_pages(size_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

// A file without a name that other processes can open by /proc/<pid>/fd, and
// that disappears with the last process that uses it. -1: none.
int new_shared_file(size_t bytes);
// False: not possible.
bool extend_shared_file(int file, size_t bytes);
int open_shared_file(pid_t owner, int file);
// Null if that is not possible.  `where`: in reserved addresses, or null.
void* map_shared(int file, size_t offset, size_t bytes, void* where = nullptr);

// Addresses in a row, for mappings that are made one after the other.  The
// kernel needs 4 KiB for each 2 MiB of addresses in which some memory is used,
// so small mappings should be neighbours.
class AddressRange {
 public:
  explicit AddressRange(size_t bytes);
  // The next ones.  Null: there are none, and the kernel may choose.
  void* next(size_t bytes);

 private:
  char* next_ = nullptr;
  size_t left_ = 0;
};

// How much memory the limits of a process allow: address space in all, and the
// size of one file.
struct MemoryLimits {
  uint64_t address_bytes;
  uint64_t file_bytes;
};
MemoryLimits memory_limits();

// A part of an area: its place, counted in short blocks, and its size.
struct Block {
  static constexpr size_t kShortBytes = size_t{8} << 10;
  static constexpr size_t kLongBytes = size_t{64} << 10;

  // For shared memory; never 0.
  uint32_t word() const { return (place << 1 | (is_long ? 1 : 0)) + 1; }
  static Block of(uint32_t word) {
    return {(word - 1) >> 1, ((word - 1) & 1) != 0};
  }
  size_t begin() const { return place * kShortBytes; }
  size_t bytes() const { return is_long ? kLongBytes : kShortBytes; }

  uint32_t place;
  bool is_long;
};

// Memory for blocks, which take none before they are used.
class BlockArea {
 public:
  BlockArea() = default;
  // Maps the file from `offset` on.  The file may be shorter.
  BlockArea(int file, size_t offset, size_t bytes);

  size_t bytes() const { return bytes_; }
  // Null: there is none, or it cannot be made accessible.
  void* memory_of(Block block);

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

  // A block of zeros.  Null: there is no memory.
  void* take(bool is_long, Block* block);
  // Takes a block back.  REQUIRES: it is all zero, and no process uses it.
  void recycle(Block block) { free_[block.is_long].push_back(block.place); }

 private:
  BlockArea area_;
  std::vector<uint32_t> free_[2];  // places of short ones, of long ones
  uint32_t unused_ = 0;            // from this place on all were never used
};

// How many bytes each of `processes` may offer, so that each of them can map
// the memory of all.
uint64_t block_bytes(const MemoryLimits& limits, size_t processes);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_NODE_MEMORY_H_
