#include "code_places/data_symbols.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace poprt {
namespace {

// A file in memory.  What is read of it is copied, because a file may have
// anything anywhere.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size > 0) {
      const size_t size = static_cast<size_t>(status.st_size);
      void* const memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory != MAP_FAILED) {
        begin_ = static_cast<const char*>(memory);
        size_ = size;
      }
    }
    close(file);
  }
  ~MappedFile() {
    if (begin_ != nullptr) munmap(const_cast<char*>(begin_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  template <class Value>
  bool read(uint64_t at, Value* value) const {
    if (at > size_ || size_ - at < sizeof *value) return false;
    std::memcpy(value, begin_ + at, sizeof *value);
    return true;
  }
  // The text that ends with a zero before `end`; "" if there is none.
  std::string text(uint64_t at, uint64_t end) const {
    if (end > size_ || at >= end) return "";
    const size_t most = static_cast<size_t>(end - at);
    const size_t length = strnlen(begin_ + at, most);
    return length == most ? "" : std::string(begin_ + at, length);
  }

 private:
  const char* begin_ = nullptr;
  size_t size_ = 0;
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

bool find_table(const MappedFile& file, SymbolTable* table) {
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

}  // namespace

std::vector<DataSymbol> data_symbols(const LoadedModule& module) {
  std::vector<DataSymbol> symbols;
  const MappedFile file(module.path);
  SymbolTable table;
  if (!find_table(file, &table)) return symbols;
  const uint64_t names = table.names.sh_offset;
  const uint64_t end = names + table.names.sh_size;
  const uint64_t count = table.symbols.sh_size / sizeof(ElfW(Sym));
  ElfW(Sym) symbol;
  for (uint64_t i = 0; i < count; ++i) {
    if (!file.read(table.symbols.sh_offset + i * sizeof symbol, &symbol)) break;
    if (!is_variable(symbol)) continue;
    const std::string name = file.text(names + symbol.st_name, end);
    if (name.empty()) continue;
    symbols.push_back({name, module.base + symbol.st_value, symbol.st_size});
  }
  return symbols;
}

}  // namespace poprt
