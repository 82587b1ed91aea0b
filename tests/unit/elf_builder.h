// Small ELF files of this machine, for tests: only what the dynamic loader
// reads, nothing to execute.
#ifndef POPRT_TESTS_UNIT_ELF_BUILDER_H_
#define POPRT_TESTS_UNIT_ELF_BUILDER_H_

#include <elf.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace poprt {

struct ElfParts {
  std::string interpreter;  // empty: none
  std::vector<std::string> needed;
  std::string rpath;
  std::string runpath;
  std::vector<std::string> defined;    // dynamic symbols
  std::vector<std::string> undefined;  // likewise
  uint32_t symbols = SHT_DYNSYM;       // which table they are in
  std::string section = "";            // one more, without content
};

#if defined(__x86_64__)
inline constexpr uint16_t kTestMachine = EM_X86_64;
#elif defined(__aarch64__)
inline constexpr uint16_t kTestMachine = EM_AARCH64;
#else
inline constexpr uint16_t kTestMachine = EM_PPC64;
#endif

template <typename T>
std::string bytes_of(const std::vector<T>& items) {
  return std::string(reinterpret_cast<const char*>(items.data()),
                     items.size() * sizeof(T));
}

// All of the file is loaded at address kTestBase.
inline constexpr uint64_t kTestBase = 0x400000;

inline std::string built_elf(const ElfParts& parts) {
  std::string names(1, '\0');
  const auto name = [&](const std::string& text) {
    const size_t at = names.size();
    names += text + '\0';
    return at;
  };
  std::vector<Elf64_Dyn> dynamic;
  const auto add = [&](Elf64_Sxword tag, uint64_t value) {
    Elf64_Dyn entry = {};
    entry.d_tag = tag;
    entry.d_un.d_val = value;
    dynamic.push_back(entry);
  };
  for (const std::string& each : parts.needed) add(DT_NEEDED, name(each));
  if (!parts.rpath.empty()) add(DT_RPATH, name(parts.rpath));
  if (!parts.runpath.empty()) add(DT_RUNPATH, name(parts.runpath));
  add(DT_STRTAB, 0);
  add(DT_NULL, 0);
  std::vector<Elf64_Sym> symbols(1);
  const auto add_symbol = [&](const std::string& text, uint16_t section) {
    Elf64_Sym symbol = {};
    symbol.st_name = static_cast<Elf64_Word>(name(text));
    symbol.st_shndx = section;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbols.push_back(symbol);
  };
  for (const std::string& each : parts.defined) add_symbol(each, 1);
  for (const std::string& each : parts.undefined) add_symbol(each, SHN_UNDEF);

  std::vector<Elf64_Phdr> segments(parts.interpreter.empty() ? 2 : 3);
  // none, names, symbols
  std::vector<Elf64_Shdr> sections(parts.section.empty() ? 3 : 4);
  if (!parts.section.empty()) {
    sections[3].sh_name = static_cast<Elf64_Word>(name(parts.section));
  }
  const uint64_t interpreter_at =
      sizeof(Elf64_Ehdr) + segments.size() * sizeof(Elf64_Phdr);
  const uint64_t dynamic_at = interpreter_at + parts.interpreter.size() + 1;
  const uint64_t names_at = dynamic_at + dynamic.size() * sizeof(Elf64_Dyn);
  const uint64_t symbols_at = names_at + names.size();
  const uint64_t sections_at = symbols_at + symbols.size() * sizeof(Elf64_Sym);
  const uint64_t size = sections_at + sections.size() * sizeof(Elf64_Shdr);
  dynamic[dynamic.size() - 2].d_un.d_ptr = kTestBase + names_at;

  segments[0].p_type = PT_LOAD;
  segments[0].p_vaddr = kTestBase;
  segments[0].p_filesz = size;
  segments[1].p_type = PT_DYNAMIC;
  segments[1].p_offset = dynamic_at;
  segments[1].p_filesz = dynamic.size() * sizeof(Elf64_Dyn);
  if (segments.size() == 3) {
    segments[2].p_type = PT_INTERP;
    segments[2].p_offset = interpreter_at;
  }
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = names_at;
  sections[1].sh_size = names.size();
  sections[2].sh_type = parts.symbols;
  sections[2].sh_link = 1;
  sections[2].sh_entsize = sizeof(Elf64_Sym);
  sections[2].sh_offset = symbols_at;
  sections[2].sh_size = symbols.size() * sizeof(Elf64_Sym);

  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  header.e_machine = kTestMachine;
  header.e_shstrndx = 1;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<uint16_t>(segments.size());
  header.e_shoff = sections_at;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size());
  return bytes_of(std::vector<Elf64_Ehdr>{header}) + bytes_of(segments) +
         parts.interpreter + '\0' + bytes_of(dynamic) + names +
         bytes_of(symbols) + bytes_of(sections);
}

}  // namespace poprt

#endif  // POPRT_TESTS_UNIT_ELF_BUILDER_H_
