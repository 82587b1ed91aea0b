#include "compare/difference_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "compare/variants.h"
#include "report/format.h"

namespace poprt {
namespace {

TableCell side(const Change& change, const Statistics& values) {
  if (values.count == 0) return {"-", ' '};
  if (change.is_time) return {duration(std::llround(values.mean)), ' '};
  return {percent(values.mean), mark(values.mean)};
}

// Regions without a table in which something changed.
std::string other_regions(const Pair& pair, const DifferenceOptions& options) {
  const std::unordered_set<std::string> shown(options.regions.begin(),
                                              options.regions.end());
  std::string text;
  for (const std::string& name : region_names({pair.a, pair.b})) {
    if (shown.contains(name)) continue;
    const auto all = changes(pair.a, pair.b, name, options.models.front());
    const auto count = std::count_if(all.begin(), all.end(), beyond_noise);
    if (count == 0) continue;
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", printable(name),
                        counted(count, "row"));
  }
  if (text.empty()) return "";
  return fmt::format(
      "beyond noise in other regions of {}: {}; --region shows "
      "them.",
      name_of(pair), text);
}

std::string only(const char* side,
                 const std::vector<Configuration>& configurations) {
  if (configurations.empty()) return "";
  return fmt::format("only {} has {}: not compared.", side,
                     names_of(configurations));
}

}  // namespace

ShownChange shown_change(const Change& change) {
  ShownChange shown = {side(change, change.a), side(change, change.b), "", "",
                       ""};
  if (std::isnan(change.difference)) return shown;
  const std::string difference = percent(change.difference);
  const char* const unit = change.is_time ? " %" : "";
  shown.difference = (difference.front() == '-' ? "" : "+") + difference + unit;
  shown.noise = percent(change.noise) + unit;
  if (beyond_noise(change)) {
    shown.verdict = is_better(change) ? "better" : "worse";
  }
  return shown;
}

std::string name_of(const Pair& pair) {
  return pair.a.name == pair.b.name ? pair.a.name
                                    : pair.a.name + " and " + pair.b.name;
}

std::string title_of(const Pair& pair, const std::string& region, Model model) {
  return fmt::format("{}: {}, {}", region, table_title(model, {}),
                     name_of(pair));
}

std::vector<std::string> notes_of(const Comparison& comparison,
                                  const DifferenceOptions& options) {
  std::vector<std::string> notes;
  for (const Pair& pair : comparison.pairs) {
    notes.push_back(other_regions(pair, options));
  }
  std::vector<Configuration> a = comparison.only_a;
  std::vector<Configuration> b = comparison.only_b;
  for (const Pair& pair : comparison.pairs) {
    a.push_back(pair.a);
    b.push_back(pair.b);
  }
  for (const std::string& note : letter_notes(a)) notes.push_back("A " + note);
  for (const std::string& note : letter_notes(b)) notes.push_back("B " + note);
  notes.push_back(only("A", comparison.only_a));
  notes.push_back(only("B", comparison.only_b));
  std::erase(notes, "");
  return notes;
}

std::string noise_sentence(const std::vector<Pair>& pairs) {
  const bool assumed =
      std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) {
        return pair.a.runs.size() + pair.b.runs.size() == 2;
      });
  return assumed ? "2 points, and 2 % of the run time, are assumed where no "
                   "run was repeated; three runs of each side measure it."
                 : "equal runs differ by more in one of 100 cases, by the "
                   "repeated runs.";
}

}  // namespace poprt
