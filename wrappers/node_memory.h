// Memory that the processes of a node share.  All of it is mapped while all are
// in MPI_Init: later there is no descriptor that the program could close or
// take for its own, and nothing has to be opened, which a program that changes
// its user, or forbids that it is looked at, would make impossible.
#ifndef POPRT_WRAPPERS_NODE_MEMORY_H_
#define POPRT_WRAPPERS_NODE_MEMORY_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace poprt::mpi {

// Memory that other processes can map by /proc/<pid>/fd: it has no name, and
// goes away with them.  -1: none.
int new_shared_file(size_t bytes);
// Makes it longer.
bool extend_shared_file(int file, size_t bytes);
int open_shared_file(pid_t owner, int file);
// Null: not possible.
void* map_shared(int file, size_t offset, size_t bytes);

// What a process may still take: address space in all, and in one file.
struct MemoryLimits {
  uint64_t address_bytes;
  uint64_t file_bytes;
};
MemoryLimits memory_limits();

// Blocks of equal size, in memory of which nothing is used before its turn.
class BlockArea {
 public:
  static constexpr size_t kBlockBytes = size_t{64} << 10;

  BlockArea() = default;
  // Beyond `offset` in the file, which may be shorter.
  BlockArea(int file, size_t offset, size_t bytes);

  size_t count() const { return bytes_ / kBlockBytes; }
  // Null: there is none of this number, or no way to it.
  void* block(uint32_t number);

 private:
  char* memory_ = nullptr;
  size_t bytes_ = 0;
  size_t accessible_ = 0;
};

// Those of this process, which it hands out.
class OwnBlocks {
 public:
  OwnBlocks() = default;
  explicit OwnBlocks(BlockArea area) : area_(area) {}

  // One that is all zero, with its number.  Null: there is no memory.
  void* take(uint32_t* number);
  // Nobody uses it any more, and it is all zero.
  void give(uint32_t number) { free_.push_back(number); }

 private:
  BlockArea area_;
  std::vector<uint32_t> free_;
  uint32_t unused_ = 0;  // from here on
};

// How many bytes each of `processes` can give, so that all can map all of them.
uint64_t block_bytes(const MemoryLimits& limits, size_t processes);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_NODE_MEMORY_H_
