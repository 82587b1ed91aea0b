// Entries in libraries that come and go while the program runs, and how much of
// them is searched.
#include "base/entry_slots.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "unit/temporary_folder.h"

namespace poprt {
namespace {

// No process has such a number.
constexpr int kParent = -1;
constexpr int kGroup = -2;

constinit Function<pid_t()> real_getppid, real_getpgrp;
pid_t my_getppid() { return kParent; }
pid_t my_getpgrp() { return kGroup; }

std::vector<Entry> entries() {
  return {entry("getppid", my_getppid, real_getppid),
          entry("getpgrp", my_getpgrp, real_getpgrp)};
}

class Library {
 public:
  explicit Library(const std::string& path, int mode = RTLD_NOW)
      : handle_(dlopen(path.c_str(), mode | RTLD_LOCAL)) {
    EXPECT_NE(nullptr, handle_) << path;
  }
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(Library&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)) {}

  int answer() const { return reinterpret_cast<int (*)()>(address())(); }
  void* address() const { return dlsym(handle_, "poprt_late_answer"); }

 private:
  void* handle_;
};

struct EntrySlotsTest : testing::Test {
  EntrySlotsTest() { slots.fill(); }

  EntrySlots slots{entries()};
};

TEST_F(EntrySlotsTest, EachLibraryIsSearchedOnce) {
  const test::TemporaryFolder folder;
  std::vector<Library> libraries;
  for (int i = 0; i < 20; ++i) {
    const std::string path = folder.path() + "/" + std::to_string(i) + ".so";
    std::filesystem::copy_file(POPRT_LATE_PARENT, path);
    libraries.emplace_back(path, i % 2 == 0 ? RTLD_NOW : RTLD_LAZY);
    EXPECT_TRUE(slots.has_new_objects());
    EXPECT_EQ(1, slots.fill().searched);
    EXPECT_FALSE(slots.has_new_objects());
  }
  for (const Library& each : libraries) EXPECT_EQ(kParent, each.answer());
  EXPECT_EQ(0, slots.fill().searched);
}

// Both libraries are alike but for the function that they call, so the one is
// loaded where the other one was.
TEST_F(EntrySlotsTest, AnotherLibraryAtTheSamePlaceIsSearched) {
  const void* place = nullptr;
  int at_the_same_place = 0;
  for (int i = 0; i < 10; ++i) {
    const Library library(i % 2 == 0 ? POPRT_LATE_PARENT : POPRT_LATE_GROUP);
    if (place == library.address()) ++at_the_same_place;
    place = library.address();
    EXPECT_EQ(1, slots.fill().searched);
    EXPECT_EQ(i % 2 == 0 ? kParent : kGroup, library.answer());
  }
  EXPECT_LT(0, at_the_same_place);
}

// As one that the loader has not filled in yet.
TEST_F(EntrySlotsTest, ASlotThatLeadsToTheFunctionLaterIsChanged) {
  void* const function = std::exchange(real_getppid.address, nullptr);
  const Library library(POPRT_LATE_PARENT);
  EXPECT_EQ(1, slots.fill().searched);
  EXPECT_EQ(getppid(), library.answer());
  real_getppid.address = function;
  EXPECT_EQ(0, slots.fill().searched);
  EXPECT_EQ(kParent, library.answer());
}

}  // namespace
}  // namespace poprt
