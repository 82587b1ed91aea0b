// What the dynamic loader would read of a program or library, without running
// it.  A file may be anything: no size in it is believed before the file is
// known to be that long.
#ifndef POPRT_LAUNCH_ELF_FILE_H_
#define POPRT_LAUNCH_ELF_FILE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// A file's content, read piece by piece.
struct FileBytes {
  uint64_t size = 0;
  // Copies `count` bytes from `offset` on; false where that fails.  Is only
  // asked for what lies within `size`.
  std::function<bool(uint64_t offset, void* to, size_t count)> read;
};

// The bytes of the file, which stays open as long as they are there; nullopt
// where it is no regular file that can be read.
std::optional<FileBytes> open_bytes(const std::string& path);

struct ElfFile {
  bool is_native = false;   // of the machine that this code is compiled for
  std::string interpreter;  // the dynamic loader; empty: static, or a library
  std::vector<std::string> needed;  // names of libraries, in their order
  std::string rpath;
  std::string runpath;
};

// nullopt where it is no ELF file, or a damaged one.  Of another machine's
// file nothing is read but that.
std::optional<ElfFile> read_elf(const FileBytes& bytes);

// Calls `take` for each name in the table of dynamic symbols, until it returns
// false; `is_defined`: the file has it itself.
void for_each_symbol(
    const FileBytes& bytes,
    const std::function<bool(std::string_view name, bool is_defined)>& take);

}  // namespace poprt

#endif  // POPRT_LAUNCH_ELF_FILE_H_
