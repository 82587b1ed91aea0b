// docs/file_format.md has every key of the run file, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "run_file/keys.h"

namespace poprt {
namespace {

// "regions[].accumulators.visits"
using Keys = std::set<std::string>;

// Lists what it visits.
class KeyList {
 public:
  void text(const char* key, const std::string&) { add(key); }
  void texts(const char* key, const std::vector<std::string>&) { add(key); }
  void flag(const char* key, bool) { add(key); }
  void count(const char* key, int64_t) { add(key); }
  void count_or_null(const char* key, int64_t) { add(key); }
  void amount(const char* key, const std::vector<Amount>&) { add(key); }
  void integer(const char* key, int64_t) { add(key); }
  void time_in(State, const char* key, int64_t) { add(key); }
  bool knows(State) { return true; }
  bool lacks(const char*, unsigned) { return false; }
  void counters(const char* key, const std::vector<Amount>&) { add(key); }
  void cpus(const char* key, const CpuSet&) { add(key); }
  void cpu_sets(const char* key, const std::vector<CpuSet>&) { add(key); }
  template <class Member>
  void cpus(const char* key, Member) {
    add(key);
  }
  template <class Names>
  void amounts(const char* key, const std::vector<Amount>&,
               const Names& names) {
    below(key, [&] {
      for (const auto* const each : names) add(each->name);
    });
  }
  void computed(const char* key, int64_t) { add(key); }
  void computed_or_null(const char* key, bool, int64_t) { add(key); }
  void number(const char* key, double) { add(key); }
  void text_or_null(const char* key, const std::string&) { add(key); }
  void texts_by_key(const char* key, const std::vector<Metadata>&) { add(key); }
  void host(const char* key, uint64_t) { add(key); }
  // The rules of the page describe the three keys of every place.
  void code_place(const std::string&, const std::string&, uint64_t) {}
  void done(const RegionReport&) {}
  template <class Member>
  void column(const char* key, Member) {
    add(key);
  }
  template <class Member>
  void time_in(State, bool, const char* key, Member) {
    add(key);
  }
  template <class Member>
  void column_if_known(const char* key, Member, int64_t) {
    add(key);
  }
  template <class Member>
  void amounts(const std::string& key, const char*, Member) {
    add(key);
  }
  template <class Member>
  void counters(const char* key, Member) {
    add(key);
  }
  template <class Member>
  void host_column(const char* key, Member) {
    add(key);
  }

  template <class Describe>
  void object(const char* key, Describe describe) {
    below(key, describe);
  }
  template <class Describe>
  void object_or_null(const char* key, bool, Describe describe) {
    below(key, describe);
  }
  template <class Describe>
  void computed_object(const char* key, Describe describe) {
    below(key, describe);
  }
  template <class Item, class Describe>
  void list(const char* key, const std::vector<Item>&, Describe describe) {
    const Item item{};
    below(std::string(key) + "[]", [&] { describe(item); });
  }
  template <class Make>
  void computed_text(const char* key, Make) {
    add(key);
  }
  template <class Item, class Make, class Describe>
  void computed_list(const char* key, Make, Describe describe) {
    list(key, std::vector<Item>(), describe);
  }
  template <class Item, class Describe>
  void columns(const char* key, const std::vector<Item>&, Describe describe) {
    below(key, [&] { describe(*this); });
  }
  template <class Describe>
  void constructs(const char* key,
                  const std::vector<ConstructReport>& constructs, bool,
                  Describe describe) {
    list(key, constructs, describe);
  }

  Keys keys;

 private:
  void add(const std::string& key) { keys.insert(path_ + key); }
  template <class Describe>
  void below(const std::string& key, Describe describe) {
    add(key);
    const std::string path = path_;
    path_ += key + ".";
    describe();
    path_ = path;
  }

  std::string path_;
};

Keys all_keys() {
  KeyList list;
  const JobReport any{};
  describe_run_file(list, any);
  // Windows have the keys of regions, and parallel regions of a region those of
  // the others.
  const auto erase_again = [&](std::string_view again, const char* first) {
    std::erase_if(list.keys, [&, all = list.keys](const auto& key) {
      return key.starts_with(again) &&
             all.contains(first + key.substr(again.size()));
    });
  };
  erase_again("windows.list[].", "regions[].");
  erase_again("region_parallel_regions[].", "parallel_regions[].");
  return list.keys;
}

// A row of the tables: its keys, and what it says about them.
struct Row {
  std::vector<std::string> paths;
  std::string meaning;
};

std::vector<std::string> code_in(const std::string& markdown) {
  std::vector<std::string> pieces;
  for (size_t begin = markdown.find('`'); begin != std::string::npos;) {
    const size_t end = markdown.find('`', begin + 1);
    if (end == std::string::npos) break;
    pieces.push_back(markdown.substr(begin + 1, end - begin - 1));
    begin = markdown.find('`', end + 1);
  }
  return pieces;
}

std::vector<Row> rows_of_docs() {
  std::ifstream file(POPRT_SOURCE_DIR "/docs/file_format.md");
  std::vector<Row> rows;
  std::string parent;  // the prefix of the table's keys
  for (std::string line; std::getline(file, line);) {
    if (line == "| key | meaning |") parent = "";
    if (line == "| accumulator | meaning |") parent = "regions[].accumulators.";
    if (line == "| column of `rows` | meaning |") parent = "regions[].rows.";
    if (line == "| column of `thread_rows` | meaning |") {
      parent = "regions[].thread_rows.";
    }
    if (!line.starts_with("| `")) continue;
    const size_t bar = line.find(" | ");
    Row row;
    row.meaning = line.substr(bar);
    for (const std::string& code : code_in(line.substr(0, bar))) {
      // Further keys in a row are siblings of the first one.
      const bool is_beside = parent.empty() && !row.paths.empty() &&
                             code.find('.') == std::string::npos;
      const std::string first = is_beside ? row.paths.front() : "";
      const std::string before = first.substr(0, first.rfind('.') + 1);
      row.paths.push_back(is_beside ? before + code : parent + code);
    }
    rows.push_back(row);
  }
  return rows;
}

// "nodes" is a list, whether the docs show it or not.
std::string without_brackets(std::string path) {
  if (path.ends_with("[]")) path.resize(path.size() - 2);
  return path;
}

// Whether the row is about the key, or mentions it in the description of its
// parent.
bool describes(const Row& row, const std::string& key) {
  const size_t dot = key.rfind('.');
  const std::string parent = dot == std::string::npos ? "" : key.substr(0, dot);
  const std::vector<std::string> named = code_in(row.meaning);
  for (const std::string& path : row.paths) {
    if (without_brackets(path) == without_brackets(key)) return true;
    const bool is_of_parent =
        without_brackets(path) == without_brackets(parent);
    if (!parent.empty() && is_of_parent &&
        std::count(named.begin(), named.end(), key.substr(dot + 1)) > 0) {
      return true;
    }
  }
  return false;
}

bool is_of_a_metric(const std::string& key) {
  return key.starts_with("regions[].metrics.");
}

// A structure of which each key is described needs no row.
bool has_keys(const Keys& keys, const std::string& structure) {
  return std::ranges::any_of(keys, [&](const std::string& key) {
    return key.starts_with(structure + ".");
  });
}

TEST(RunFileKeys, AreAllInTheDocs) {
  const std::vector<Row> rows = rows_of_docs();
  const Keys keys = all_keys();
  for (const std::string& key : keys) {
    if (is_of_a_metric(key)) continue;  // docs/metrics.md has these
    if (has_keys(keys, key)) continue;
    EXPECT_TRUE(std::ranges::any_of(
        rows, [&](const Row& row) { return describes(row, key); }))
        << key << " is in no row";
  }
}

TEST(RunFileKeys, AreAllThatTheDocsHave) {
  std::set<std::string> known = {"schema", "schema_version", "tool"};
  for (const std::string& key : all_keys()) {
    known.insert(without_brackets(key));
  }
  std::map<std::string, int> seen;
  for (const Row& row : rows_of_docs()) {
    for (const std::string& path : row.paths) {
      EXPECT_TRUE(known.contains(without_brackets(path))) << path;
      EXPECT_EQ(1, ++seen[path]) << path << " has two rows";
    }
  }
}

}  // namespace
}  // namespace poprt
