#include "code_places/linked_functions.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

#include "code_places/symbol_file.h"

namespace poprt {
namespace {

// Where each name is in a section of names, which holds those that others end
// with only once.
std::map<uint64_t, size_t> places_of(const ReadFile& file,
                                     const ElfW(Shdr) & section,
                                     std::span<const char* const> names) {
  constexpr size_t kPiece = 1 << 16;
  size_t overlap = 0;  // a name may be on both sides of a piece's end
  for (const char* const name : names) {
    overlap = std::max(overlap, std::strlen(name));
  }
  std::map<uint64_t, size_t> places;
  std::vector<char> piece(kPiece + overlap);
  for (uint64_t at = 0; at < section.sh_size; at += kPiece) {
    const size_t length =
        file.read(section.sh_offset + at, piece.data(),
                  std::min<uint64_t>(piece.size(), section.sh_size - at));
    const char* const end = piece.data() + length;
    for (size_t i = 0; i < names.size(); ++i) {
      const size_t bytes = std::strlen(names[i]) + 1;
      for (const char* from = piece.data();; ++from) {
        from = static_cast<const char*>(
            memmem(from, static_cast<size_t>(end - from), names[i], bytes));
        if (from == nullptr) break;
        places[at + static_cast<uint64_t>(from - piece.data())] = i;
      }
    }
    if (length == 0) break;
  }
  return places;
}

}  // namespace

std::vector<const void*> linked_functions(const LoadedModule& module,
                                          std::span<const char* const> names) {
  std::vector<const void*> found(names.size());
  const ReadFile file(module.path);
  SymbolTable table;
  if (!find_table(file, &table) || table.symbols.sh_type != SHT_SYMTAB) {
    return found;
  }
  const auto places = places_of(file, table.names, names);
  if (places.empty()) return found;
  for_each_symbol_of(file, table, [&](const ElfW(Sym) & symbol) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
        symbol.st_shndx == SHN_UNDEF) {
      return;
    }
    const auto place = places.find(symbol.st_name);
    if (place == places.end()) return;
    found[place->second] =
        reinterpret_cast<const void*>(module.base + symbol.st_value);
  });
  return found;
}

}  // namespace poprt
