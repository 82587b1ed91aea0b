// Reads from a program or library what the dynamic loader would read, without
// running it.  A file may contain anything: no size in it is used before it has
// been checked against the length of the file.
#ifndef POPRT_LAUNCH_LOADER_ELF_FILE_H_
#define POPRT_LAUNCH_LOADER_ELF_FILE_H_

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
  // Copies `count` bytes from `offset` on; false if that fails.  Only called
  // for bytes within `size`.
  std::function<bool(uint64_t offset, void* to, size_t count)> read;
};

// The bytes of a file, which is open as long as they exist; nullopt if it is
// not a regular file that can be read.
std::optional<FileBytes> open_bytes(const std::string& path);

struct ElfFile {
  bool is_native = false;  // for the machine that this code is compiled for
  // the dynamic loader; empty for a static program or a library
  std::string interpreter;
  std::vector<std::string> needed;  // names of libraries, in their order
  std::string rpath;
  std::string runpath;
};

// nullopt if it is no ELF file or a damaged one.  Of a file for another machine
// only is_native is set.
std::optional<ElfFile> read_elf(const FileBytes& bytes);

// Calls `take` for each name in the table of dynamic symbols until it returns
// false.  `is_defined`: the file itself defines it.
void for_each_symbol(
    const FileBytes& bytes,
    const std::function<bool(std::string_view name, bool is_defined)>& take);

// Likewise for the full table, which also has what the file does not export.
// There is none in a stripped file.
void for_each_full_symbol(
    const FileBytes& bytes,
    const std::function<bool(std::string_view name, bool is_defined)>& take);

// Whether the file has a section of this name.  A file may be without names.
bool has_section(const FileBytes& bytes, std::string_view name);

// The versions of symbols that the file defines ("GLIBC_2.34"), and those that
// it needs of the library `name`.
std::vector<std::string> defined_versions(const FileBytes& bytes);
std::vector<std::string> needed_versions(const FileBytes& bytes,
                                         std::string_view name);

}  // namespace poprt

#endif  // POPRT_LAUNCH_LOADER_ELF_FILE_H_
