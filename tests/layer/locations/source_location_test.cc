#include "code_places/source_location.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "layer/locations/fake_helper.h"

// Exported: the dynamic linker knows it by name.
extern "C" __attribute__((noinline)) const void* poprt_test_return_address() {
  return __builtin_return_address(0);
}
extern "C" __attribute__((noinline)) const void* poprt_test_exported() {
  const void* const address = poprt_test_return_address();
  __asm__ volatile("" ::: "memory");
  return address;
}

namespace poprt {
namespace {

constexpr int64_t kLong = 60'000'000'000;
constexpr int64_t kShort = 10'000'000;
using Lines = std::vector<std::string>;

__attribute__((noinline)) const void* not_exported() {
  const void* const address = poprt_test_return_address();
  // Without this the compiler would merge the function with the identical one
  // above.
  __asm__ volatile("nop" ::: "memory");
  return address;
}

std::string executable() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

TEST(CodeAddress, IsOfTheProgramsFile) {
  const CodeAddress address = code_address(poprt_test_exported());
  EXPECT_EQ(executable(), address.module);
  EXPECT_EQ(address, code_address(poprt_test_exported()));
  EXPECT_LT(address.offset, 1u << 30);
}

TEST(CodeAddress, IsOfALibrarysFile) {
  const auto inside = reinterpret_cast<const char*>(&std::strtoull) + 1;
  const CodeAddress address = code_address(inside);
  EXPECT_EQ('/', address.module[0]);
  EXPECT_NE(executable(), address.module);
  EXPECT_EQ(std::filesystem::canonical(address.module), address.module);
}

TEST(CodeAddress, OfNoFileIsTheAddressItself) {
  EXPECT_EQ((CodeAddress{"", 0}), code_address(nullptr));
  int here = 0;
  EXPECT_EQ((CodeAddress{"", reinterpret_cast<uint64_t>(&here)}),
            code_address(&here));
}

TEST(SourceLocation, WithoutHelperIsTheLoadedSymbol) {
  const Lines names =
      source_locations({code_address(poprt_test_exported())}, kLong, "");
  ASSERT_EQ(1u, names.size());
  EXPECT_EQ(0u, names[0].find("poprt_test_exported+0x")) << names[0];
}

TEST(SourceLocation, OfWhatIsNotLoadedIsModuleAndOffset) {
  EXPECT_EQ(
      (Lines{"libsolver.so+0x1234", "unknown+0x7f12", "unknown"}),
      source_locations({{"/opt/x/libsolver.so", 0x1234}, {"", 0x7f12}, {}},
                       kLong, ""));
  EXPECT_EQ(Lines{}, source_locations({}, kLong, ""));
}

TEST(SourceLocation, WithoutANameIsModuleAndOffset) {
  const CodeAddress address = code_address(not_exported());
  const Lines names = source_locations({address}, kLong, "");
  char text[32];
  std::snprintf(text, sizeof text, "+0x%llx",
                static_cast<unsigned long long>(address.offset));
  EXPECT_EQ(executable().substr(executable().rfind('/') + 1) + text, names[0]);
}

TEST(SourceLocation, IsTheHelpersLine) {
  const FakeHelper helper("printf '<%s>\\n' \"$@\"");
  EXPECT_EQ((Lines{"</a b/c\t1234>", "</d\tabcdef>"}),
            source_locations({{"/a b/c", 0x1234}, {"/d", 0xabcdef}}, kLong,
                             helper.path()));
}

TEST(SourceLocation, OfAnEmptyOrCutOffLineIsTheFallback) {
  const FakeHelper helper("printf 'a.c:1 (f)\\n\\nc.c:3'");
  EXPECT_EQ((Lines{"a.c:1 (f)", "b+0x2", "c+0x3"}),
            source_locations({{"/a", 1}, {"/b", 2}, {"/c", 3}}, kLong,
                             helper.path()));
}

TEST(SourceLocation, OfLinesThatNobodyAskedForIsNothing) {
  const FakeHelper helper("printf 'a.c:1 (f)\\nb.c:2 (g)\\n'");
  EXPECT_EQ(Lines{"a.c:1 (f)"},
            source_locations({{"/a", 1}}, kLong, helper.path()));
}

TEST(SourceLocation, OfAHelperThatHangsIsTheFallback) {
  const FakeHelper helper("exec sleep 1000");
  EXPECT_EQ(Lines{"a+0x1"},
            source_locations({{"/a", 1}}, kShort, helper.path()));
}

TEST(SourceLocation, WithoutBudgetStartsNoHelper) {
  const FakeHelper helper("echo started");
  EXPECT_EQ(Lines{"a+0x1"}, source_locations({{"/a", 1}}, 0, helper.path()));
}

}  // namespace
}  // namespace poprt
