// docs/file_format.md has every key of the run file, and says since when it is
// there.
#include "report/run_file_keys.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {
namespace {

// "regions[].accumulators.visits": the minor version that brought it.
using Keys = std::map<std::string, int>;

// Lists what it visits.
class KeyList {
 public:
  void text(const char* key, const std::string&, int since = 0) {
    add(key, since);
  }
  void texts(const char* key, const std::vector<std::string>&) { add(key, 0); }
  void flag(const char* key, bool, int since = 0) { add(key, since); }
  void count(const char* key, int64_t, int since = 0) { add(key, since); }
  void count_or_null(const char* key, int64_t, int since) { add(key, since); }
  void count_if_there(const char* key, int64_t, int since) { add(key, since); }
  void amount(const char* key, const std::vector<Amount>&, int since) {
    add(key, since);
  }
  void integer(const char* key, int64_t, int since) { add(key, since); }
  void counters(const char* key, const std::vector<Amount>&, int since) {
    add(key, since);
  }
  void cpus(const char* key, const CpuSet&, int since) { add(key, since); }
  void cpu_sets(const char* key, const std::vector<CpuSet>&, int since) {
    add(key, since);
  }
  template <class Member>
  void cpus(const char* key, Member, int since) {
    add(key, since);
  }
  template <class Names>
  void amounts(const char* key, const std::vector<Amount>&, int since,
               const Names& names) {
    below(key, since, [&] {
      for (const auto* const each : names) add(each->name, each->since);
    });
  }
  template <class Names>
  void amounts_if_there(const char* key, const std::vector<Amount>& values,
                        int since, const Names& names) {
    amounts(key, values, since, names);
  }
  void computed(const char* key, int64_t) { add(key, 0); }
  void computed_or_null(const char* key, bool, int64_t, int since = 0) {
    add(key, since);
  }
  void number(const char* key, double) { add(key, 0); }
  void text_or_null(const char* key, const std::string&, int since) {
    add(key, since);
  }
  void texts_by_key(const char* key, const std::vector<Metadata>&, int since) {
    add(key, since);
  }
  void host(const char* key, uint64_t) { add(key, 0); }
  void code_place(const std::string&, const std::string&, uint64_t) {
    for (const char* const key : {"location", "module", "offset"}) add(key, 0);
  }
  void done(const RegionReport&) {}
  template <class Member>
  void column(const char* key, Member) {
    add(key, 0);
  }
  template <class Member>
  void column_if_known(const char* key, Member, int64_t) {
    add(key, 0);
  }
  template <class Member>
  void amounts(const std::string& key, const char*, Member, int since) {
    add(key.c_str(), since);
  }
  template <class Member>
  void counters(const char* key, Member) {
    add(key, kCountersSince);
  }
  template <class Member>
  void host_column(const char* key, Member) {
    add(key, 0);
  }

  template <class Describe>
  void object(const char* key, int since, Describe describe) {
    below(key, since, describe);
  }
  template <class Describe>
  void object_or_null(const char* key, bool, Describe describe) {
    below(key, 0, describe);
  }
  template <class Describe>
  void computed_object(const char* key, Describe describe) {
    below(key, 0, describe);
  }
  template <class Item, class Describe>
  void list(const char* key, int since, const std::vector<Item>&,
            Describe describe) {
    const Item item{};
    below(std::string(key) + "[]", since, [&] { describe(item); });
  }
  template <class Item, class Describe>
  void list_if_there(const char* key, int since, const std::vector<Item>& items,
                     Describe describe) {
    list(key, since, items, describe);
  }
  template <class Item, class Describe>
  void columns(const char* key, int since, const std::vector<Item>&,
               Describe describe) {
    below(key, since, [&] { describe(*this); });
  }
  template <class Item, class Describe>
  void columns_if_there(const char* key, int since,
                        const std::vector<Item>& items, Describe describe) {
    columns(key, since, items, describe);
  }
  template <class Describe>
  void constructs(const char* key, int since,
                  const std::vector<ConstructReport>& constructs, bool,
                  Describe describe) {
    list(key, since, constructs, describe);
  }

  Keys keys;

 private:
  void add(const std::string& key, int since) {
    keys[path_ + key] = std::max(since, since_);
  }
  template <class Describe>
  void below(const std::string& key, int since, Describe describe) {
    add(key, since);
    const std::string path = path_;
    const int outer = since_;
    path_ += key + ".";
    since_ = std::max(since, since_);
    describe();
    path_ = path;
    since_ = outer;
  }

  std::string path_;
  int since_ = 0;
};

Keys all_keys() {
  KeyList list;
  const JobReport any{};
  describe_run_file(list, any);
  // Windows have the keys of regions, and parallel regions of a region those of
  // the others.
  const auto erase_again = [&](std::string_view again, const char* first) {
    std::erase_if(list.keys, [&, all = list.keys](const auto& key) {
      return key.first.starts_with(again) &&
             all.contains(first + key.first.substr(again.size()));
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
        without_brackets(path) == without_brackets(parent) ||
        // The location of a construct is described together with its name.
        path == parent + ".location";
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

TEST(RunFileKeys, AreAllInTheDocs) {
  const std::vector<Row> rows = rows_of_docs();
  for (const auto& [key, since] : all_keys()) {
    if (is_of_a_metric(key)) continue;  // docs/metrics.md has these
    // A structure of which each key is described needs no row.
    if (key == "run" || key == "quality" || key == "regions[]") continue;
    const auto row =
        std::find_if(rows.begin(), rows.end(),
                     [&](const Row& each) { return describes(each, key); });
    if (row == rows.end()) {
      ADD_FAILURE() << key << " is in no row";
      continue;
    }
    const size_t parent = key.rfind('.');
    const bool is_of_later_parent = parent != std::string::npos &&
                                    all_keys()[key.substr(0, parent)] == since;
    if (since == 0 || is_of_later_parent) continue;
    EXPECT_NE(std::string::npos,
              row->meaning.find("(from 1." + std::to_string(since) + ")"))
        << key << ": the docs do not say that it is from 1." << since;
  }
}

TEST(RunFileKeys, AreAllThatTheDocsHave) {
  std::set<std::string> known = {"tool"};
  for (const auto& [key, since] : all_keys()) {
    known.insert(without_brackets(key));
  }
  std::map<std::string, int> seen;
  for (const Row& row : rows_of_docs()) {
    for (const std::string& path : row.paths) {
      EXPECT_TRUE(known.contains(without_brackets(path))) << path;
      EXPECT_EQ(1, ++seen[path]) << path << " has two rows";
    }
    const size_t from = row.meaning.find("(from 1.");
    if (from == std::string::npos) continue;
    const int since = row.meaning[from + 8] - '0';
    for (const std::string& path : row.paths) {
      const Keys keys = all_keys();
      EXPECT_TRUE((keys.contains(path) && keys.at(path) == since) ||
                  (keys.contains(path + "[]") && keys.at(path + "[]") == since))
          << path << " is not from 1." << since;
    }
  }
}

}  // namespace
}  // namespace poprt
