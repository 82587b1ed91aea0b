#include "base/imports.h"

#include <cstddef>

namespace poprt {
namespace {

struct Relocations {
  ElfW(Addr) begin = 0;
  size_t bytes = 0;
};

}  // namespace

// Not from the table of symbols, whose length no entry tells.
std::vector<Import> imports(const dl_phdr_info& image) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < image.dlpi_phnum; ++i) {
    if (image.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      entry = reinterpret_cast<const ElfW(Dyn)*>(image.dlpi_addr +
                                                 image.dlpi_phdr[i].p_vaddr);
    }
  }
  if (entry == nullptr) return {};
  // Some loaders leave addresses relative.
  const auto address = [&](const ElfW(Dyn) & it) {
    return it.d_un.d_ptr < image.dlpi_addr ? it.d_un.d_ptr + image.dlpi_addr
                                           : it.d_un.d_ptr;
  };
  ElfW(Addr) names = 0;
  ElfW(Addr) symbols = 0;
  size_t relative = 0;
  Relocations data;
  Relocations calls;
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_STRTAB:
        names = address(*entry);
        break;
      case DT_SYMTAB:
        symbols = address(*entry);
        break;
      case DT_RELA:
        data.begin = address(*entry);
        break;
      case DT_RELASZ:
        data.bytes = entry->d_un.d_val;
        break;
      case DT_RELACOUNT:
        relative = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        calls.begin = address(*entry);
        break;
      case DT_PLTRELSZ:
        calls.bytes = entry->d_un.d_val;
        break;
      default:
        break;
    }
  }
  std::vector<Import> found;
  if (names == 0 || symbols == 0) return found;
  const auto add = [&](const Relocations& list, size_t first) {
    const auto* const all = reinterpret_cast<const ElfW(Rela)*>(list.begin);
    for (size_t i = first; i < list.bytes / sizeof *all; ++i) {
      const auto& symbol = reinterpret_cast<const ElfW(Sym)*>(
          symbols)[ELF64_R_SYM(all[i].r_info)];
      if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0) {
        found.push_back({reinterpret_cast<const char*>(names) + symbol.st_name,
                         reinterpret_cast<const void* const*>(
                             image.dlpi_addr + all[i].r_offset)});
      }
    }
  };
  // The relative ones come first, and name nothing.
  add(data, relative);
  add(calls, 0);
  return found;
}

}  // namespace poprt
