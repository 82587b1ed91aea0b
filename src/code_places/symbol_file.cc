#include "code_places/symbol_file.h"

#include <cstring>

namespace poprt {

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

}  // namespace poprt
