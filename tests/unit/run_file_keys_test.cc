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

#include "run_file/json_document.h"
#include "run_file/schema.h"

namespace poprt {
namespace {

// "regions[].accumulators.visits"
using Keys = std::set<std::string>;

// Those of an object, and of all below it.
void add_keys(const Json& properties, const std::string& path, Keys* keys) {
  for (const auto& item : properties.items()) {
    // The rules of the page describe the three keys of every place.
    if (item.key() == "location" || item.key() == "module" ||
        item.key() == "offset") {
      continue;
    }
    const bool is_list = item.value().contains("items");
    const Json& value = is_list ? item.value()["items"] : item.value();
    const bool has_keys = value.contains("properties");
    const std::string key =
        path + item.key() + (is_list && has_keys ? "[]" : "");
    keys->insert(key);
    if (has_keys) add_keys(value["properties"], key + ".", keys);
  }
}

Keys all_keys() {
  Keys keys;
  add_keys(Json::parse(run_file_schema())["properties"], "", &keys);
  // Windows have the keys of regions, and parallel regions of a region those of
  // the others.
  const auto erase_again = [&](std::string_view again, const char* first) {
    std::erase_if(keys, [&, all = keys](const auto& key) {
      return key.starts_with(again) &&
             all.contains(first + key.substr(again.size()));
    });
  };
  erase_again("windows.list[].", "regions[].");
  erase_again("region_parallel_regions[].", "parallel_regions[].");
  return keys;
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
    if (key.starts_with("schema")) continue;  // the text is about these
    EXPECT_TRUE(std::ranges::any_of(
        rows, [&](const Row& row) { return describes(row, key); }))
        << key << " is in no row";
  }
}

TEST(RunFileKeys, AreAllThatTheDocsHave) {
  Keys known;
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
