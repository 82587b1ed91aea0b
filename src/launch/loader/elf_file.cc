#include "launch/loader/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace poprt {
namespace {

// No program has more.  A damaged file may claim any number.
constexpr size_t kMostHeaders = 4096;
constexpr size_t kMostEntries = 4096;
constexpr size_t kLongestName = 4096;
constexpr uint64_t kLongestTable = 64 << 20;  // bytes

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#elif defined(__powerpc64__)
constexpr uint16_t kMachine = EM_PPC64;
#elif defined(__riscv)
constexpr uint16_t kMachine = EM_RISCV;
#else
#error "poprt run does not know this machine's ELF number"
#endif
constexpr unsigned char kByteOrder =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

bool read_at(const FileBytes& bytes, uint64_t offset, void* to, size_t count) {
  return offset <= bytes.size && count <= bytes.size - offset &&
         (count == 0 || bytes.read(offset, to, count));
}

// `count` entries, or fewer if the file ends before.
template <typename T>
std::vector<T> table_at(const FileBytes& bytes, uint64_t offset,
                        uint64_t count) {
  if (offset > bytes.size) return {};
  count = std::min<uint64_t>(count, (bytes.size - offset) / sizeof(T));
  std::vector<T> table(static_cast<size_t>(count));
  if (!read_at(bytes, offset, table.data(), table.size() * sizeof(T))) {
    return {};
  }
  return table;
}

// The text up to its 0.  What is longer than any name is cut.
std::string text_at(const FileBytes& bytes, uint64_t offset) {
  const std::vector<char> text = table_at<char>(bytes, offset, kLongestName);
  return std::string(text.begin(), std::find(text.begin(), text.end(), '\0'));
}

std::optional<Elf64_Ehdr> native_header(const FileBytes& bytes) {
  Elf64_Ehdr header;
  if (!read_at(bytes, 0, &header, sizeof header) ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != kByteOrder || header.e_machine != kMachine) {
    return std::nullopt;
  }
  return header;
}

// The offset in the file of what is loaded at `address`.
std::optional<uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments,
                                  uint64_t address) {
  for (const Elf64_Phdr& each : segments) {
    if (each.p_type == PT_LOAD && address >= each.p_vaddr &&
        address - each.p_vaddr < each.p_filesz) {
      return each.p_offset + (address - each.p_vaddr);
    }
  }
  return std::nullopt;
}

std::vector<Elf64_Shdr> sections_of(const FileBytes& bytes) {
  const auto header = native_header(bytes);
  if (!header || header->e_shentsize != sizeof(Elf64_Shdr)) return {};
  return table_at<Elf64_Shdr>(bytes, header->e_shoff,
                              std::min<size_t>(header->e_shnum, kMostHeaders));
}

// The content of a section of names.
std::vector<char> names_of(const FileBytes& bytes, const Elf64_Shdr& section) {
  return table_at<char>(bytes, section.sh_offset,
                        std::min<uint64_t>(section.sh_size, kLongestTable));
}

std::string text_in(const std::vector<char>& names, size_t at) {
  if (at >= names.size()) return "";
  return {names.data() + at, strnlen(names.data() + at, names.size() - at)};
}

template <typename T>
std::optional<T> one_at(const FileBytes& bytes, uint64_t offset) {
  const std::vector<T> found = table_at<T>(bytes, offset, 1);
  return found.empty() ? std::nullopt : std::optional<T>(found.front());
}

// Calls `take` for each entry of the sections of this type, with their names
// and its offset; it returns how far away the next one is, 0 for none.
template <typename Entry, typename Take>
void for_each_version(const FileBytes& bytes, uint32_t type, Take take) {
  const std::vector<Elf64_Shdr> sections = sections_of(bytes);
  for (const Elf64_Shdr& each : sections) {
    if (each.sh_type != type || each.sh_link >= sections.size()) continue;
    const std::vector<char> names = names_of(bytes, sections[each.sh_link]);
    uint64_t at = each.sh_offset;
    // A damaged file may go round for ever.
    for (size_t i = 0; i < kMostEntries; ++i) {
      const auto entry = one_at<Entry>(bytes, at);
      const uint64_t step = entry ? take(names, at, *entry) : 0;
      if (step == 0) break;
      at += step;
    }
  }
}

void read_dynamic(const FileBytes& bytes,
                  const std::vector<Elf64_Phdr>& segments,
                  const Elf64_Phdr& dynamic, ElfFile* file) {
  const std::vector<Elf64_Dyn> entries = table_at<Elf64_Dyn>(
      bytes, dynamic.p_offset,
      std::min<uint64_t>(dynamic.p_filesz / sizeof(Elf64_Dyn), kMostEntries));
  const auto end = std::find_if(
      entries.begin(), entries.end(),
      [](const Elf64_Dyn& entry) { return entry.d_tag == DT_NULL; });
  std::optional<uint64_t> names;
  for (auto entry = entries.begin(); entry != end; ++entry) {
    if (entry->d_tag == DT_STRTAB) {
      names = offset_of(segments, entry->d_un.d_ptr);
    }
  }
  if (!names) return;
  for (auto entry = entries.begin(); entry != end; ++entry) {
    const auto text = [&] {
      // An offset beyond the file, not one that wraps around.
      return entry->d_un.d_val < bytes.size
                 ? text_at(bytes, *names + entry->d_un.d_val)
                 : std::string();
    };
    if (entry->d_tag == DT_NEEDED) file->needed.push_back(text());
    if (entry->d_tag == DT_RPATH) file->rpath = text();
    if (entry->d_tag == DT_RUNPATH) file->runpath = text();
  }
}

void for_each_symbol_in(
    const FileBytes& bytes, uint32_t type,
    const std::function<bool(std::string_view, bool)>& take) {
  const std::vector<Elf64_Shdr> sections = sections_of(bytes);
  for (const Elf64_Shdr& each : sections) {
    if (each.sh_type != type || each.sh_link >= sections.size()) continue;
    const std::vector<Elf64_Sym> symbols = table_at<Elf64_Sym>(
        bytes, each.sh_offset,
        std::min(each.sh_size, kLongestTable) / sizeof(Elf64_Sym));
    const std::vector<char> names = names_of(bytes, sections[each.sh_link]);
    for (const Elf64_Sym& symbol : symbols) {
      if (symbol.st_name >= names.size()) continue;
      const char* const begin = names.data() + symbol.st_name;
      const size_t length = strnlen(begin, names.size() - symbol.st_name);
      if (!take({begin, length}, symbol.st_shndx != SHN_UNDEF)) return;
    }
  }
}

}  // namespace

std::optional<FileBytes> open_bytes(const std::string& path) {
  // Opening a pipe would wait.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat facts;
  if (file < 0) return std::nullopt;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    close(file);
    return std::nullopt;
  }
  const std::shared_ptr<int> open_file(new int(file), [](const int* number) {
    close(*number);
    delete number;
  });
  FileBytes bytes;
  bytes.size = static_cast<uint64_t>(facts.st_size);
  bytes.read = [open_file](uint64_t offset, void* to, size_t count) {
    return pread(*open_file, to, count, static_cast<off_t>(offset)) ==
           static_cast<ssize_t>(count);
  };
  return bytes;
}

std::optional<ElfFile> read_elf(const FileBytes& bytes) {
  unsigned char magic[EI_NIDENT];
  if (!read_at(bytes, 0, magic, sizeof magic) ||
      std::memcmp(magic, ELFMAG, SELFMAG) != 0) {
    return std::nullopt;
  }
  ElfFile file;
  const auto header = native_header(bytes);
  if (!header) return file;
  if (header->e_phentsize != sizeof(Elf64_Phdr)) return std::nullopt;
  file.is_native = true;
  const std::vector<Elf64_Phdr> segments = table_at<Elf64_Phdr>(
      bytes, header->e_phoff, std::min<size_t>(header->e_phnum, kMostHeaders));
  for (const Elf64_Phdr& each : segments) {
    if (each.p_type == PT_INTERP) {
      file.interpreter = text_at(bytes, each.p_offset);
    }
    if (each.p_type == PT_DYNAMIC) read_dynamic(bytes, segments, each, &file);
  }
  return file;
}

bool has_section(const FileBytes& bytes, std::string_view name) {
  const auto header = native_header(bytes);
  const std::vector<Elf64_Shdr> sections = sections_of(bytes);
  if (!header || header->e_shstrndx >= sections.size()) return false;
  const std::vector<char> names = names_of(bytes, sections[header->e_shstrndx]);
  return std::any_of(sections.begin(), sections.end(),
                     [&](const Elf64_Shdr& each) {
                       return text_in(names, each.sh_name) == name;
                     });
}

std::vector<std::string> defined_versions(const FileBytes& bytes) {
  std::vector<std::string> versions;
  for_each_version<Elf64_Verdef>(
      bytes, SHT_GNU_verdef,
      [&](const auto& names, uint64_t at, const auto& it) {
        const auto name = one_at<Elf64_Verdaux>(bytes, at + it.vd_aux);
        if (name) versions.push_back(text_in(names, name->vda_name));
        return it.vd_next;
      });
  return versions;
}

std::vector<std::string> needed_versions(const FileBytes& bytes,
                                         std::string_view name) {
  std::vector<std::string> versions;
  for_each_version<Elf64_Verneed>(
      bytes, SHT_GNU_verneed,
      [&](const auto& names, uint64_t at, const auto& it) {
        if (text_in(names, it.vn_file) != name) return it.vn_next;
        at += it.vn_aux;
        for (size_t i = 0; i < it.vn_cnt; ++i) {
          const auto version = one_at<Elf64_Vernaux>(bytes, at);
          if (!version) break;
          if ((version->vna_flags & VER_FLG_WEAK) == 0) {
            versions.push_back(text_in(names, version->vna_name));
          }
          at += version->vna_next;
        }
        return it.vn_next;
      });
  return versions;
}

void for_each_symbol(const FileBytes& bytes,
                     const std::function<bool(std::string_view, bool)>& take) {
  for_each_symbol_in(bytes, SHT_DYNSYM, take);
}

void for_each_full_symbol(
    const FileBytes& bytes,
    const std::function<bool(std::string_view, bool)>& take) {
  for_each_symbol_in(bytes, SHT_SYMTAB, take);
}

}  // namespace poprt
