#include "code_places/data_symbols.h"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

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
    return pread(file_, value, sizeof *value, static_cast<off_t>(at)) ==
           static_cast<ssize_t>(sizeof *value);
  }

  // What is there of a section. Empty if it is unusually large.
  std::string section(const ElfW(Shdr) & header) const {
    constexpr uint64_t kMost = uint64_t{256} << 20;
    std::string content;
    struct stat status;
    if (fstat(file_, &status) != 0 || header.sh_size > kMost ||
        header.sh_size > static_cast<uint64_t>(status.st_size)) {
      return content;
    }
    content.resize(header.sh_size);
    size_t done = 0;
    while (done < content.size()) {
      const ssize_t part =
          pread(file_, content.data() + done, content.size() - done,
                static_cast<off_t>(header.sh_offset + done));
      if (part <= 0) break;
      done += static_cast<size_t>(part);
    }
    content.resize(done);
    return content;
  }

 private:
  const int file_;
};

// The text at this place, which ends with a zero; "" if there is none.
std::string text_at(const std::string& texts, uint64_t place) {
  if (place >= texts.size()) return "";
  const size_t end = texts.find('\0', place);
  return end == texts.npos ? "" : texts.substr(place, end - place);
}

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

}  // namespace

std::vector<DataSymbol> data_symbols(const LoadedModule& module) {
  std::vector<DataSymbol> symbols;
  const ReadFile file(module.path);
  SymbolTable table;
  if (!find_table(file, &table)) return symbols;
  const std::string entries = file.section(table.symbols);
  const std::string names = file.section(table.names);
  ElfW(Sym) symbol;
  for (size_t at = 0; entries.size() - at >= sizeof symbol;
       at += sizeof symbol) {
    std::memcpy(&symbol, entries.data() + at, sizeof symbol);
    if (!is_variable(symbol)) continue;
    const std::string name = text_at(names, symbol.st_name);
    if (name.empty()) continue;
    symbols.push_back({name, module.base + symbol.st_value, symbol.st_size});
  }
  return symbols;
}

}  // namespace poprt
