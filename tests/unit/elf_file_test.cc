#include "launch/loader/elf_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "unit/elf_builder.h"

namespace poprt {
namespace {

using Strings = std::vector<std::string>;

FileBytes in_memory(const std::string& content) {
  return {content.size(), [content](uint64_t offset, void* to, size_t count) {
            // The reader must not read beyond the end.
            EXPECT_LE(offset, content.size());
            EXPECT_LE(count, content.size() - offset);
            std::memcpy(to, content.data() + offset, count);
            return true;
          }};
}

Strings symbols_of(const std::string& content, bool defined) {
  Strings names;
  for_each_symbol(in_memory(content),
                  [&](std::string_view name, bool is_defined) {
                    if (is_defined == defined && !name.empty()) {
                      names.emplace_back(name);
                    }
                    return true;
                  });
  return names;
}

const ElfParts kProgram = {"/lib64/ld-linux.so.2",
                           {"libmpi.so.40", "libc.so.6"},
                           "/old",
                           "$ORIGIN/../lib",
                           {"main"},
                           {"MPI_Init", "omp_get"}};

TEST(ElfFile, HasWhatTheLoaderReads) {
  const auto file = read_elf(in_memory(built_elf(kProgram)));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->is_native);
  EXPECT_EQ("/lib64/ld-linux.so.2", file->interpreter);
  EXPECT_EQ(Strings({"libmpi.so.40", "libc.so.6"}), file->needed);
  EXPECT_EQ("/old", file->rpath);
  EXPECT_EQ("$ORIGIN/../lib", file->runpath);
}

TEST(ElfFile, HasSectionsByName) {
  ElfParts parts = kProgram;
  EXPECT_FALSE(has_section(in_memory(built_elf(parts)), ".nv_fatbin"));
  parts.section = ".nv_fatbin";
  EXPECT_TRUE(has_section(in_memory(built_elf(parts)), ".nv_fatbin"));
  EXPECT_FALSE(has_section(in_memory(built_elf(parts)), ".text"));
  EXPECT_FALSE(has_section(in_memory("no such file"), ".nv_fatbin"));
}

TEST(ElfFile, HasSymbolsByWhetherItDefinesThem) {
  EXPECT_EQ(Strings({"main"}), symbols_of(built_elf(kProgram), true));
  EXPECT_EQ(Strings({"MPI_Init", "omp_get"}),
            symbols_of(built_elf(kProgram), false));
}

TEST(ElfFile, HasInTheFullTableWhatItDoesNotExport) {
  ElfParts parts = kProgram;
  parts.symbols = SHT_SYMTAB;
  EXPECT_EQ(Strings(), symbols_of(built_elf(parts), true));
  Strings names;
  for_each_full_symbol(in_memory(built_elf(parts)),
                       [&](std::string_view name, bool is_defined) {
                         if (is_defined) names.emplace_back(name);
                         return true;
                       });
  EXPECT_EQ(Strings({"main"}), names);
}

TEST(ElfFile, StopsAtTheSymbolThatIsEnough) {
  int calls = 0;
  for_each_symbol(in_memory(built_elf(kProgram)), [&](std::string_view, bool) {
    ++calls;
    return false;
  });
  EXPECT_EQ(1, calls);
}

TEST(ElfFile, WithoutALoaderItIsStatic) {
  EXPECT_EQ("", read_elf(in_memory(built_elf({})))->interpreter);
}

TEST(ElfFile, OfAnotherMachineNothingElseIsRead) {
  std::string content = built_elf(kProgram);
  content[offsetof(Elf64_Ehdr, e_machine)] = 3;  // of 32-bit x86
  const auto file = read_elf(in_memory(content));
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->is_native);
  EXPECT_TRUE(file->needed.empty());
}

TEST(ElfFile, OtherFilesAreNone) {
  for (const char* content : {"", "\x7f",
                              "\x7f"
                              "ELF",
                              "#!/bin/sh\necho hello"}) {
    EXPECT_FALSE(read_elf(in_memory(content))) << content;
  }
}

TEST(ElfFile, ThisTestIsOne) {
  const auto bytes = open_bytes("/proc/self/exe");
  ASSERT_TRUE(bytes);
  const auto file = read_elf(*bytes);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->is_native);
  EXPECT_FALSE(file->needed.empty());
  EXPECT_FALSE(open_bytes("/proc/self"));
  EXPECT_FALSE(open_bytes("/dev/null"));
  EXPECT_FALSE(open_bytes("/no/such"));
}

// --- damaged files: whatever is in them, nothing is read beyond their end ----

void read_all_of(const std::string& content) {
  if (const auto file = read_elf(in_memory(content))) {
    EXPECT_LE(file->needed.size(), 4096u);
  }
  symbols_of(content, true);
}

TEST(DamagedElf, CutAnywhere) {
  const std::string whole = built_elf(kProgram);
  for (size_t length = 0; length < whole.size(); ++length) {
    read_all_of(whole.substr(0, length));
  }
}

TEST(DamagedElf, EachByteChanged) {
  const std::string whole = built_elf(kProgram);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string content = whole;
      content[at] = static_cast<char>(value);
      read_all_of(content);
    }
  }
}

TEST(DamagedElf, ManyBytesChanged) {
  const std::string whole = built_elf(kProgram);
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string content = whole;
    for (int i = 0; i < 8; ++i) {
      content[random() % content.size()] = static_cast<char>(random());
    }
    read_all_of(content);
  }
}

TEST(DamagedElf, ATableLongerThanTheFileTakesNoMemory) {
  std::string content = built_elf(kProgram);
  Elf64_Ehdr header;
  std::memcpy(&header, content.data(), sizeof header);
  Elf64_Shdr section;
  char* const at = content.data() + header.e_shoff + 2 * sizeof section;
  std::memcpy(&section, at, sizeof section);
  section.sh_size = UINT64_MAX;
  std::memcpy(at, &section, sizeof section);
  // What lies behind the table is no symbol, but what is in it is still found.
  const Strings names = symbols_of(content, true);
  EXPECT_LT(names.size(), content.size());
  EXPECT_NE(names.end(), std::find(names.begin(), names.end(), "main"));
}

}  // namespace
}  // namespace poprt
