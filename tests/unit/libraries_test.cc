#include "launch/loader/libraries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "unit/elf_builder.h"
#include "unit/temporary_folder.h"

namespace poprt {
namespace {

using Strings = std::vector<std::string>;

struct Entry {
  std::string name;
  std::string path;
};

// The content of an ldconfig cache with these entries.
std::string built_cache(const std::vector<Entry>& entries) {
  std::string head = "glibc-ld.so.cache1.1";
  std::string texts;
  const size_t texts_at = 48 + 24 * entries.size();
  std::string table;
  const auto number = [](std::string* to, uint32_t value) {
    to->append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const Entry& entry : entries) {
    number(&table, 0x303);
    number(&table, static_cast<uint32_t>(texts_at + texts.size()));
    texts += entry.name + '\0';
    number(&table, static_cast<uint32_t>(texts_at + texts.size()));
    texts += entry.path + '\0';
    table.append(12, '\0');
  }
  number(&head, static_cast<uint32_t>(entries.size()));
  head.append(24, '\0');
  return head + table + texts;
}

TEST(LoaderCache, HasPathsByName) {
  const LoaderCache cache = parse_loader_cache(built_cache(
      {{"liba.so", "/x/liba.so"}, {"libb.so", "/x/b"}, {"liba.so", "/y/a"}}));
  EXPECT_EQ(
      (LoaderCache{{"liba.so", {"/x/liba.so", "/y/a"}}, {"libb.so", {"/x/b"}}}),
      cache);
}

TEST(LoaderCache, AnOlderFormBeforeItIsSkipped) {
  const std::string content =
      "ld.so-1.7.0 and more" + built_cache({{"liba.so", "/a"}});
  EXPECT_EQ(1u, parse_loader_cache(content).size());
}

TEST(LoaderCache, DamagedOnesHaveLess) {
  const std::string whole = built_cache({{"liba.so", "/a"}, {"libb.so", "/b"}});
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_LE(parse_loader_cache(whole.substr(0, length)).size(), 2u);
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string content = whole;
    content[at] = '\xff';
    EXPECT_LE(parse_loader_cache(content).size(), 2u);
  }
}

TEST(Paths, HaveParts) {
  EXPECT_EQ(Strings({"/a", "b"}), path_entries("/a::b:"));
  EXPECT_EQ("c", base_name("/a/b/c"));
  EXPECT_EQ("/a/b", folder_of("/a/b/c"));
  EXPECT_EQ("/", folder_of("/c"));
  EXPECT_EQ(".", folder_of("c"));
}

class Search : public ::testing::Test {
 protected:
  std::string make(const std::string& name, const ElfParts& parts) {
    const std::string path = root_ + "/" + name;
    std::filesystem::create_directories(folder_of(path));
    std::ofstream(path) << built_elf(parts);
    return path;
  }

  // The libraries that are loaded, without the root.
  Strings loaded(const std::string& path, const std::string& library_path = "",
                 const LoaderCache& cache = {}) {
    Strings names;
    for (const LoadedFile& file : loaded_files(path, library_path, cache)) {
      names.push_back(file.path.substr(root_.size() + 1));
    }
    return names;
  }

  const test::TemporaryFolder folder_;
  const std::string& root_ = folder_.path();
};

ElfParts needs(const std::string& name, const std::string& rpath = "",
               const std::string& runpath = "") {
  return {"/ld", {name}, rpath, runpath, {}, {}};
}

TEST_F(Search, FollowsWhatNeedsWhatAndTakesEachOnce) {
  make("l/liba.so", {"", {"libb.so", "libc.so"}, "", "", {}, {}});
  make("l/libb.so", needs("libc.so"));
  make("l/libc.so", needs("liba.so"));
  EXPECT_EQ(Strings({"p", "l/liba.so", "l/libb.so", "l/libc.so"}),
            loaded(make("p", needs("liba.so")), root_ + "/l"));
}

TEST_F(Search, RpathIsBeforeLibraryPathAndRunpathBehind) {
  make("a/liba.so", {});
  make("b/liba.so", {});
  const std::string in_b = root_ + "/b";
  EXPECT_EQ(Strings({"p", "a/liba.so"}),
            loaded(make("p", needs("liba.so", "$ORIGIN/a")), in_b));
  EXPECT_EQ(Strings({"q", "b/liba.so"}),
            loaded(make("q", needs("liba.so", "", "${ORIGIN}/a")), in_b));
  EXPECT_EQ(Strings({"q", "a/liba.so"}), loaded(root_ + "/q"));
}

TEST_F(Search, RpathCountsForWhatALibraryNeedsAndRunpathDoesNot) {
  make("a/liba.so", needs("libb.so"));
  make("a/libb.so", {});
  EXPECT_EQ(Strings({"p", "a/liba.so", "a/libb.so"}),
            loaded(make("p", needs("liba.so", "$ORIGIN/a"))));
  EXPECT_EQ(Strings({"q", "a/liba.so"}),
            loaded(make("q", needs("liba.so", "", "$ORIGIN/a"))));
}

// This test's own program and its C library.
TEST_F(Search, OfTheCLibraryAndOfVersionsThatItLacks) {
  const std::string own = std::filesystem::read_symlink("/proc/self/exe");
  const std::string c_library = c_library_of(own, "", loader_cache());
  ASSERT_NE("", c_library);
  EXPECT_EQ("", missing_version(own, c_library));
  std::ifstream file(c_library, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  const Strings needed = needed_versions(*open_bytes(own), "libc.so.6");
  ASSERT_FALSE(needed.empty());
  for (const std::string& version : needed) {
    const size_t at = content.find('\0' + version + '\0');
    ASSERT_NE(std::string::npos, at) << version;
    content[at + 1] = 'g';
  }
  const std::string older = root_ + "/libc.so.6";
  std::ofstream(older, std::ios::binary) << content;
  const std::string newest =
      *std::max_element(needed.begin(), needed.end(),
                        [](const std::string& one, const std::string& other) {
                          return strverscmp(one.c_str(), other.c_str()) < 0;
                        });
  EXPECT_EQ(newest, missing_version(own, older));
  EXPECT_EQ("", missing_version(root_ + "/none", older));
  EXPECT_EQ("", missing_version(own, root_ + "/none"));
}

TEST_F(Search, TheCLibraryIsBesideItsLoader) {
  make("glibc/libc.so.6", {});
  const std::string loader = make("glibc/ld.so", {});
  const LoaderCache cache = {{"libc.so.6", {make("other/libc.so.6", {})}}};
  const std::string program = make("p", {loader, {}, "", "", {}, {}});
  EXPECT_EQ(root_ + "/glibc/libc.so.6", c_library_of(program, "", cache));
  EXPECT_EQ(root_ + "/other/libc.so.6",
            c_library_of(program, root_ + "/other", cache));
}

TEST_F(Search, OfWhatIsPreloaded) {
  make("a/liba.so", {});
  make("b/liba.so", {});
  const std::string program = make("p", needs("libc.so", "", "$ORIGIN/b"));
  const auto found = [&](const std::string& entry,
                         const std::string& path = "") {
    return preloaded_file(entry, program, path, {});
  };
  EXPECT_EQ(root_ + "/b/liba.so", found("liba.so"));
  EXPECT_EQ(root_ + "/a/liba.so", found("liba.so", root_ + "/a"));
  EXPECT_EQ(root_ + "/a/liba.so", found("$ORIGIN/a/liba.so"));
  EXPECT_EQ("", found(root_ + "/libx.so"));
}

TEST_F(Search, TheCacheIsLastAndOtherMachinesAreNotTaken) {
  const std::string other = make("a/liba.so", {});
  std::fstream(other).seekp(offsetof(Elf64_Ehdr, e_machine)).put(3);
  const LoaderCache cache = {{"liba.so", {other, make("b/liba.so", {})}}};
  EXPECT_EQ(Strings({"p", "b/liba.so"}),
            loaded(make("p", needs("liba.so")), root_ + "/a", cache));
}

TEST_F(Search, NamesWhatIsNowhere) {
  const auto files = loaded_files(make("p", needs("libmpi.so.40")), "", {});
  ASSERT_EQ(1u, files.size());
  EXPECT_EQ(Strings({"libmpi.so.40"}), files[0].missing);
  EXPECT_TRUE(loaded_files(root_ + "/nothing", "", {}).empty());
}

}  // namespace
}  // namespace poprt
