// The table of symbols in a program's or library's file, which the loader does
// not load.
#ifndef POPRT_CODE_PLACES_SYMBOL_FILE_H_
#define POPRT_CODE_PLACES_SYMBOL_FILE_H_

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// A file that is read by read calls: a mapping of a file that gets shorter
// meanwhile would end the program.
class ReadFile {
 public:
  explicit ReadFile(const std::string& path)
      : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~ReadFile() {
    if (file_ >= 0) close(file_);
  }
  ReadFile(const ReadFile&) = delete;
  ReadFile& operator=(const ReadFile&) = delete;

  template <class Value>
  bool read(uint64_t at, Value* value) const {
    return read(at, value, sizeof *value) == sizeof *value;
  }
  // How many bytes there were.
  size_t read(uint64_t at, void* to, size_t size) const {
    const ssize_t length = pread(file_, to, size, static_cast<off_t>(at));
    return length < 0 ? 0 : static_cast<size_t>(length);
  }

 private:
  const int file_;
};

// A table of symbols and the section of its names.
struct SymbolTable {
  ElfW(Shdr) symbols = {};
  ElfW(Shdr) names = {};
};

// The full one; if that was removed, the dynamic one.
bool find_table(const ReadFile& file, SymbolTable* table);

// The name at this place of a section of names; "" if there is none, or it is
// unusually long.
std::string name_at(const ReadFile& file, const ElfW(Shdr) & names,
                    uint64_t place);

// Calls take(symbol) for each.
template <class Take>
void for_each_symbol_of(const ReadFile& file, const SymbolTable& table,
                        Take take) {
  std::vector<ElfW(Sym)> part(512);
  for (uint64_t at = 0; at < table.symbols.sh_size;) {
    const size_t most = std::min<uint64_t>(part.size() * sizeof part[0],
                                           table.symbols.sh_size - at);
    const size_t count =
        file.read(table.symbols.sh_offset + at, part.data(), most) /
        sizeof part[0];
    if (count == 0) return;
    at += count * sizeof part[0];
    for (size_t i = 0; i < count; ++i) take(part[i]);
  }
}

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_SYMBOL_FILE_H_
