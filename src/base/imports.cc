#include "base/imports.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace poprt {
namespace {

struct Relocations {
  ElfW(Addr) begin = 0;
  size_t bytes = 0;
};

struct ImageTables {
  const char* names = nullptr;
  const ElfW(Sym) * symbols = nullptr;
  size_t relative = 0;
  Relocations data;
  Relocations calls;
  const uint32_t* hashes = nullptr;      // GNU's
  const uint32_t* old_hashes = nullptr;  // System V's
};

// Empty if the image has none.
ImageTables tables_of(const dl_phdr_info& image) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < image.dlpi_phnum; ++i) {
    if (image.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      entry = reinterpret_cast<const ElfW(Dyn)*>(image.dlpi_addr +
                                                 image.dlpi_phdr[i].p_vaddr);
    }
  }
  ImageTables tables;
  if (entry == nullptr) return tables;
  // Some loaders leave addresses relative.
  const auto address = [&](const ElfW(Dyn) & it) {
    return it.d_un.d_ptr < image.dlpi_addr ? it.d_un.d_ptr + image.dlpi_addr
                                           : it.d_un.d_ptr;
  };
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_STRTAB:
        tables.names = reinterpret_cast<const char*>(address(*entry));
        break;
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address(*entry));
        break;
      case DT_RELA:
        tables.data.begin = address(*entry);
        break;
      case DT_RELASZ:
        tables.data.bytes = entry->d_un.d_val;
        break;
      case DT_RELACOUNT:
        tables.relative = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        tables.calls.begin = address(*entry);
        break;
      case DT_PLTRELSZ:
        tables.calls.bytes = entry->d_un.d_val;
        break;
      case DT_GNU_HASH:
        tables.hashes = reinterpret_cast<const uint32_t*>(address(*entry));
        break;
      case DT_HASH:
        tables.old_hashes = reinterpret_cast<const uint32_t*>(address(*entry));
        break;
      default:
        break;
    }
  }
  if (tables.names == nullptr || tables.symbols == nullptr) return {};
  return tables;
}

}  // namespace

// Not from the table of symbols, whose length no entry tells.
std::vector<Import> imports(const dl_phdr_info& image) {
  const ImageTables tables = tables_of(image);
  std::vector<Import> found;
  if (tables.symbols == nullptr) return found;
  // Until a function is called for the first time, its slot leads to the code
  // of the image that asks the loader for it.
  const auto add = [&](const Relocations& list, size_t first, bool is_calls) {
    const auto* const all = reinterpret_cast<const ElfW(Rela)*>(list.begin);
    for (size_t i = first; i < list.bytes / sizeof *all; ++i) {
      const ElfW(Sym)& symbol = tables.symbols[ELF64_R_SYM(all[i].r_info)];
      if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0) {
        const auto* const place = reinterpret_cast<const void* const*>(
            image.dlpi_addr + all[i].r_offset);
        found.push_back({tables.names + symbol.st_name, place,
                         is_calls && contains(image, *place)});
      }
    }
  };
  // The relative ones come first, and name nothing.
  add(tables.data, tables.relative, false);
  add(tables.calls, 0, true);
  return found;
}

bool contains(const dl_phdr_info& image, const void* address) {
  const auto place = reinterpret_cast<ElfW(Addr)>(address);
  for (int i = 0; i < image.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = image.dlpi_phdr[i];
    if (header.p_type == PT_LOAD &&
        place - (image.dlpi_addr + header.p_vaddr) < header.p_memsz) {
      return true;
    }
  }
  return false;
}

const void* exported(const dl_phdr_info& image, const char* name) {
  const ImageTables tables = tables_of(image);
  const auto is_it = [&](uint32_t index) {
    const ElfW(Sym)& symbol = tables.symbols[index];
    return symbol.st_shndx != SHN_UNDEF &&
           std::strcmp(tables.names + symbol.st_name, name) == 0;
  };
  const auto address_of = [&](uint32_t index) {
    return reinterpret_cast<const void*>(image.dlpi_addr +
                                         tables.symbols[index].st_value);
  };
  if (tables.symbols == nullptr) return nullptr;
  if (tables.hashes != nullptr) {
    const auto [buckets, first, words] =
        std::array{tables.hashes[0], tables.hashes[1], tables.hashes[2]};
    if (buckets == 0) return nullptr;
    const uint32_t* const bucket =
        tables.hashes + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    uint32_t hash = 5381;
    for (const char* each = name; *each != '\0'; ++each) {
      hash = hash * 33 + static_cast<unsigned char>(*each);
    }
    uint32_t index = bucket[hash % buckets];
    if (index < first) return nullptr;
    // The last one of a bucket has the lowest bit set.
    for (;; ++index) {
      const uint32_t its = bucket[buckets + index - first];
      if ((its | 1) == (hash | 1) && is_it(index)) return address_of(index);
      if ((its & 1) != 0) return nullptr;
    }
  }
  const uint32_t symbols =
      tables.old_hashes == nullptr ? 0 : tables.old_hashes[1];
  for (uint32_t index = 0; index < symbols; ++index) {
    if (is_it(index)) return address_of(index);
  }
  return nullptr;
}

}  // namespace poprt
