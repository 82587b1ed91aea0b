// Functions that a program has for itself alone, by names in its file.
#include "code_places/linked_functions.h"

#include <gtest/gtest.h>
#include <link.h>

#include <fstream>
#include <string>

#include "unit/elf_builder.h"

// Not exported: the test is linked without -rdynamic.
extern "C" [[gnu::noinline, gnu::used]] int poprt_test_linked() { return 3; }
extern "C" {
[[gnu::used]] int poprt_test_variable = 3;
}

namespace poprt {
namespace {

LoadedModule own_program() {
  uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* result) {
        *static_cast<uint64_t*>(result) = image->dlpi_addr;
        return 1;
      },
      &base);
  return {"/proc/self/exe", base};
}

TEST(LinkedFunctions, AreWhereTheProgramHasThem) {
  constexpr const char* kNames[] = {"poprt_test_linked", "poprt_test_none",
                                    "poprt_test_variable", "test_linked",
                                    "abort"};
  const auto found = linked_functions(own_program(), kNames);
  ASSERT_EQ(5U, found.size());
  EXPECT_EQ(reinterpret_cast<const void*>(&poprt_test_linked), found[0]);
  EXPECT_EQ(nullptr, found[1]);
  EXPECT_EQ(nullptr, found[2]) << "a variable";
  EXPECT_EQ(nullptr, found[3]) << "the end of another name";
  EXPECT_EQ(nullptr, found[4]) << "another file defines it";
}

// Names are read in pieces of 64 KiB, and one may lie across their border.
TEST(LinkedFunctions, AreFoundWhereverTheirNamesAre) {
  constexpr const char* kNames[] = {"GOMP_parallel"};
  const std::string path = testing::TempDir() + "linked_functions_test.elf";
  for (size_t before = 65516; before < 65540; ++before) {
    ElfParts parts;
    parts.defined = {std::string(before, 'x'), kNames[0]};
    parts.symbols = SHT_SYMTAB;
    std::ofstream(path) << built_elf(parts);
    EXPECT_EQ(reinterpret_cast<const void*>(0x1000),
              linked_functions({path, 0x1000}, kNames)[0])
        << before;
  }
}

TEST(LinkedFunctions, AreNoneWhereNoFileTells) {
  constexpr const char* kNames[] = {"poprt_test_linked"};
  EXPECT_EQ(nullptr, linked_functions({"/no/such/file", 0}, kNames)[0]);
  EXPECT_EQ(nullptr, linked_functions({"/", 0}, kNames)[0]);
  const std::string path = testing::TempDir() + "linked_functions_test.text";
  std::ofstream(path) << "\177ELF poprt_test_linked";
  EXPECT_EQ(nullptr, linked_functions({path, 0}, kNames)[0]);
}

}  // namespace
}  // namespace poprt
