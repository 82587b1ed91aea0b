#include "report/longest_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/format.h"
#include "model/ratio.h"
#include "states/states.h"

namespace poprt {
namespace {

// Parts that are the same but for their rank, or have the same rank.
struct Sum {
  std::string name;
  const PathShare* first;  // the largest of them
  int64_t ns = 0;
};

bool is_region(const PathShare& part) {
  return part.what == PathShare::kUseful && !part.region.empty();
}

// Of ranks alone (POPRT_PATH=ranks), or where no region was opened, there is
// none.
bool has_regions(const LongestPath& path) {
  return std::ranges::any_of(path.parts, is_region);
}

bool has_constructs(const LongestPath& path) {
  return std::ranges::any_of(path.parts, [](const PathShare& part) {
    return !part.construct.empty();
  });
}

// "barrier solver.c:80 (solve)"
std::string construct_name(const PathShare& part) {
  return part.location.empty() ? part.construct
                               : part.construct + " " + part.location;
}

// The state that a part was in; null for the others.
const StateEntry* state_of(const PathShare& part) {
  const auto state =
      std::ranges::find(kStateTable, part.what, &StateEntry::colour);
  return state == kStateTable.end() ? nullptr : &*state;
}

std::string part_name(const PathShare& part, const LongestPath& path) {
  if (!part.construct.empty()) return construct_name(part);
  if (is_region(part)) return part.region;
  if (part.what == PathShare::kUseful) {
    return has_regions(path) ? "useful, outside of regions" : "useful";
  }
  if (part.what == PathShare::kMpi) return "in MPI, not waiting";
  if (part.what == PathShare::kOpenMp) {
    return has_constructs(path) ? "in OpenMP, other constructs"
                                : "in OpenMP, not waiting";
  }
  const StateEntry* const state = state_of(part);
  return state == nullptr ? "others" : std::string("in ") + state->name;
}

// The same in a sentence.
std::string part_in_words(const PathShare& part, const LongestPath& path) {
  if (!part.construct.empty()) {
    return "OpenMP (without waiting): " + printable(construct_name(part));
  }
  if (is_region(part)) return "`" + printable(part.region) + "`";
  if (part.what == PathShare::kUseful) {
    return has_regions(path) ? "the program outside of regions" : "useful work";
  }
  if (part.what == PathShare::kMpi) return "MPI (transfer, not waiting)";
  if (part.what == PathShare::kOpenMp) return "OpenMP (without waiting)";
  const StateEntry* const state = state_of(part);
  return state == nullptr ? "parts that have no place in the list"
                          : state->name;
}

std::string rank_text(const PathShare& part, const LongestPath&) {
  return part.rank == PathShare::kSeveralRanks ? "several ranks"
                                               : fmt::format("{}", part.rank);
}

// The sums of parts with the same name, the largest first.
template <class Name>
std::vector<Sum> sums_of(const LongestPath& path, Name name) {
  std::vector<Sum> sums;
  for (const PathShare& part : path.parts) {
    const std::string its = name(part, path);
    auto sum = std::ranges::find(sums, its, &Sum::name);
    if (sum == sums.end()) {
      sum = sums.insert(sums.end(), {its, &part, 0});
    }
    sum->ns += part.ns;
  }
  std::ranges::sort(sums, [](const Sum& a, const Sum& b) {
    return a.ns != b.ns ? a.ns > b.ns : a.name < b.name;
  });
  return sums;
}

double part_of(int64_t part_ns, int64_t whole_ns) {
  return static_cast<double>(part_ns) / static_cast<double>(whole_ns);
}

void add_sum(const std::string& label, int64_t ns, const LongestPath& path,
             const std::string& rank, Table* table) {
  TableRow& row = table->rows.emplace_back();
  row.label = label;
  row.cells.push_back({CellUnit::kNs, static_cast<double>(ns)});
  row.cells.push_back({CellUnit::kPercent, part_of(ns, path.length_ns)});
  if (!rank.empty()) {
    TableCell& cell = row.cells.emplace_back();
    cell.text = rank;
  }
}

// The first ones, and the rest as one.
void add_sums(const std::vector<Sum>& sums, size_t most,
              const LongestPath& path, bool with_rank, Table* table) {
  int64_t rest_ns = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    const Sum& sum = sums[i];
    if (i >= most && sums.size() > most + 1) {
      rest_ns += sum.ns;
      continue;
    }
    add_sum(sum.name, sum.ns, path,
            with_rank ? rank_text(*sum.first, path) : "", table);
  }
  if (rest_ns > 0) {
    add_sum("others", rest_ns, path, with_rank ? "several ranks" : "", table);
  }
}

Table table_of(const char* key, const char* title, const char* note) {
  Table table;
  table.key = key;
  table.title = title;
  table.columns.push_back({"on the path"});
  table.columns.push_back({"of it", "% of the run time"});
  if (*note != '\0') table.columns.push_back({.name = note, .is_text = true});
  return table;
}

}  // namespace

Table path_table(const JobReport& report, size_t most) {
  const LongestPath& path = report.totals.path;
  if (path.parts.empty() || path.length_ns <= 0) return {};
  Table table = table_of("path", "What the run waits for: its longest path",
                         "mostly on rank");
  add_sums(sums_of(path, part_name), most, path, true, &table);
  return table;
}

Table path_rank_table(const JobReport& report, size_t most) {
  const LongestPath& path = report.totals.path;
  const std::vector<Sum> sums = sums_of(path, rank_text);
  if (sums.size() < 2 || path.length_ns <= 0) return {};
  Table table = table_of("path_ranks", "Ranks on its longest path", "");
  add_sums(sums, most, path, false, &table);
  return table;
}

std::string path_sentence(const JobReport& report) {
  const LongestPath& path = report.totals.path;
  const std::vector<Sum> sums = sums_of(path, part_name);
  if (sums.empty()) return "";
  const Sum& most = sums.front();
  const PathShare& first = *most.first;
  std::string text =
      fmt::format("of {}, the run waited {} for {}", duration(path.length_ns),
                  duration(most.ns), part_in_words(first, path));
  if (first.rank != PathShare::kSeveralRanks && report.totals.processes > 1) {
    text +=
        fmt::format(", {} on rank {}",
                    first.ns == most.ns
                        ? "all of it"
                        : (2 * first.ns > most.ns ? "mostly" : "most of all"),
                    first.rank);
  }
  text += fmt::format("; halving it saves at most {}", duration(most.ns / 2));
  if (report.regions.size() <= 1) {
    text +=
        ". The program has no regions (poprt.h), which would tell its parts "
        "apart";
  }
  return text;
}

double heaviest_path_share(const JobReport& report) {
  const LongestPath& path = report.totals.path;
  const std::vector<Sum> sums = sums_of(path, part_name);
  return !has_regions(path) || path.length_ns <= 0
             ? kUndefined
             : part_of(sums.front().ns, path.length_ns);
}

std::vector<std::string> without_sentences(const JobReport& report) {
  std::vector<std::string> sentences;
  const LongestPath& path = report.totals.path;
  for (const WithoutRegion& without : path.without) {
    const std::string name = printable(without.region);
    const bool came_up =
        std::ranges::any_of(report.regions, [&](const RegionReport& region) {
          return region.totals.name == without.region;
        });
    sentences.push_back(
        came_up ? fmt::format("`{}` the run would take {} instead of "
                              "{} (all else equal)",
                              name, duration(without.run_ns),
                              duration(path.length_ns))
                : fmt::format("`{}` never came up: no region of this name was "
                              "opened, or POPRT_REGIONS leaves it out",
                              name));
  }
  return sentences;
}

}  // namespace poprt
