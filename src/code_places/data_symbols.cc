#include "code_places/data_symbols.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace poprt {
namespace {

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

bool is_variable(const ElfW(Sym) & symbol) {
  const unsigned type = symbol.st_info & 0xF;
  return (type == STT_OBJECT || type == STT_COMMON) && symbol.st_size > 0 &&
         symbol.st_shndx != SHN_UNDEF;
}

// A table of symbols and the section of its names.
struct SymbolTable {
  ElfW(Shdr) symbols = {};
  ElfW(Shdr) names = {};
};

bool find_table(const ReadFile& file, SymbolTable* table) {
  ElfW(Ehdr) header;
  if (!file.read(0, &header)) return false;
  constexpr int kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != kClass ||
      header.e_shentsize != sizeof(ElfW(Shdr))) {
    return false;
  }
  const auto section = [&](uint64_t number, ElfW(Shdr) * found) {
    return file.read(header.e_shoff + number * sizeof *found, found);
  };
  for (const unsigned wanted : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      if (!section(i, &table->symbols)) return false;
      if (table->symbols.sh_type != wanted) continue;
      return table->symbols.sh_entsize == sizeof(ElfW(Sym)) &&
             section(table->symbols.sh_link, &table->names);
    }
  }
  return false;
}

// The name at this place of a section of names; "" if there is none, or it is
// unusually long.
std::string name_at(const ReadFile& file, const ElfW(Shdr) & names,
                    uint64_t place) {
  constexpr size_t kLongest = 4096;
  std::string name;
  char part[128];
  while (place < names.sh_size && name.size() < kLongest) {
    const size_t most = std::min<uint64_t>(sizeof part, names.sh_size - place);
    const size_t length = file.read(names.sh_offset + place, part, most);
    const size_t used = strnlen(part, length);
    name.append(part, used);
    if (used < length) return name;
    if (length == 0) return "";
    place += length;
  }
  return "";
}

}  // namespace

std::vector<DataSymbol> data_symbols(
    const LoadedModule& module,
    const std::function<bool(const DataSymbol&)>& wanted) {
  std::vector<DataSymbol> symbols;
  const ReadFile file(module.path);
  SymbolTable table;
  if (!find_table(file, &table)) return symbols;
  std::vector<ElfW(Sym)> part(512);
  for (uint64_t at = 0; at < table.symbols.sh_size;) {
    const size_t most = std::min<uint64_t>(part.size() * sizeof part[0],
                                           table.symbols.sh_size - at);
    const size_t count =
        file.read(table.symbols.sh_offset + at, part.data(), most) /
        sizeof part[0];
    if (count == 0) break;
    at += count * sizeof part[0];
    for (size_t i = 0; i < count; ++i) {
      if (!is_variable(part[i])) continue;
      DataSymbol symbol{"", module.base + part[i].st_value, part[i].st_size};
      if (!wanted(symbol)) continue;
      symbol.name = name_at(file, table.names, part[i].st_name);
      if (!symbol.name.empty()) symbols.push_back(std::move(symbol));
    }
  }
  return symbols;
}

}  // namespace poprt
