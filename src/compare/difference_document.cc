#include "compare/difference_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "compare/gains.h"
#include "compare/placement_difference.h"
#include "compare/same_work.h"
#include "compare/variants.h"
#include "document/format.h"
#include "model/present_rows.h"
#include "model/ratio.h"
#include "report/heading.h"
#include "report/repeated_rows.h"
#include "report/report_document.h"
#include "report/table.h"

namespace poprt {
namespace {

// One side of a change.
TableCell side_cell(const Change& change, const Statistics& values,
                    const DifferenceOptions& options, bool graded) {
  const bool is_efficiency = !change.is_time && change.metric.is_efficiency();
  const CellUnit unit =
      change.is_time ? CellUnit::kNs : cell_unit(change.metric);
  TableCell cell = {unit, values.count > 0 ? values.mean : kUndefined};
  if (values.count == 0) {
    cell.reason = change.reason;
  } else if (is_efficiency && graded) {
    cell.grade = grade_of(values.mean, options.thresholds);
  }
  return cell;
}

TableCell verdict(const Change& change, bool rests_on_red, bool is_same_work) {
  if (std::isnan(change.difference) || !beyond_noise(change)) return {};
  if (is_relative(change) && !is_same_work) return {};
  if (rests_on_red) return {.text = "red"};
  return is_better(change) ? TableCell{.text = "better", .grade = Grade::kGood}
                           : TableCell{.text = "worse", .grade = Grade::kPoor};
}

TableRow row_of(const Change& change, const Pair& pair,
                const DifferenceOptions& options, bool is_same_work) {
  const bool red_a = is_red(pair.a);
  const bool red_b = is_red(pair.b);
  TableRow row = metric_row(change.metric);
  row.cells = {side_cell(change, change.a, options, !red_a),
               side_cell(change, change.b, options, !red_b)};
  row.cells[0].is_least = change.is_least_a;
  row.cells[1].is_least = change.is_least_b;
  if (std::isnan(change.difference)) {
    row.cells.resize(4);
  } else if (std::isinf(change.difference)) {
    row.cells.push_back({.text = "from 0"});
    row.cells.push_back({});
  } else if (is_relative(change)) {
    row.cells.push_back({CellUnit::kChange, change.difference});
    row.cells.push_back({CellUnit::kRelative, change.noise});
  } else {
    row.cells.push_back({CellUnit::kPoints, change.difference});
    row.cells.push_back({CellUnit::kPercent, change.noise});
  }
  row.cells.push_back(verdict(change, red_a || red_b, is_same_work));
  return row;
}

// "4x1", "4x1 and 36x1".
std::string name_of(const Pair& pair) {
  return pair.a.name == pair.b.name ? pair.a.name
                                    : pair.a.name + " and " + pair.b.name;
}

TableCell runs_cell(const Configuration& configuration) {
  return {CellUnit::kCount, static_cast<double>(configuration.runs.size())};
}

Table table_of(const Pair& pair, const std::string& region, Model model,
               const DifferenceOptions& options, bool is_same_work) {
  Table table = {Table::Kind::kSides, region, key_of(model)};
  table.title = table_title(model, shown_metrics({&pair.a, &pair.b}, model)) +
                ", " + name_of(pair);
  table.columns = {{"A"}, {"B"}, {"B - A"}, {"noise"}, {""}};
  table.last_is_apart = true;
  table.rows.push_back(
      {"runs", {runs_cell(pair.a), runs_cell(pair.b), {}, {}, {}}, 0, "runs"});
  for (const Change& change : changes(pair.a, pair.b, region, model)) {
    table.rows.push_back(row_of(change, pair, options, is_same_work));
  }
  leave_out_repeated(&table);
  return table;
}

// The regions without a table in which something has changed.
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

// One sentence each: changes in regions without a table, and configurations of
// only one side.
std::vector<std::string> notes_of(const Comparison& comparison,
                                  const DifferenceOptions& options) {
  std::vector<std::string> notes;
  for (const Pair& pair : comparison.pairs) {
    const WorkOfTwo work = work_of_two(pair.a, pair.b, options.scaling);
    notes.push_back(work.note);
    if (!work.is_comparable) {
      notes.push_back("run time and counts are not called better or worse.");
    }
    notes.push_back(other_regions(pair, options));
    for (const auto& [name, side] :
         {std::pair("A ", &pair.a), {"B ", &pair.b}}) {
      const std::string gain = gain_sentence(*side);
      if (!gain.empty()) notes.push_back(name + gain);
    }
  }
  std::vector<Configuration> a = comparison.only_a;
  std::vector<Configuration> b = comparison.only_b;
  for (const Pair& pair : comparison.pairs) {
    a.push_back(pair.a);
    b.push_back(pair.b);
  }
  for (const std::string& note : letter_notes(a)) notes.push_back("A " + note);
  for (const std::string& note : letter_notes(b)) notes.push_back("B " + note);
  std::ranges::copy(b, std::back_inserter(a));
  std::ranges::move(light_notes(a), std::back_inserter(notes));
  notes.push_back(only("A", comparison.only_a));
  notes.push_back(only("B", comparison.only_b));
  std::erase(notes, "");
  return notes;
}

// How the noise was estimated.
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

Fact side_fact(const char* label, const std::string& name,
               const Configuration& configuration) {
  return {
      label,
      shortened(printable(name), 200) + ": " +
          shortened(command_line(configuration.runs[0].report.context), 200)};
}

}  // namespace

Document difference_document(const Comparison& comparison,
                             const DifferenceOptions& options) {
  const Pair& first = comparison.pairs.front();
  Document document = {"difference"};
  document.facts = {{side_fact("A", options.name_a, first.a),
                     side_fact("B", options.name_b, first.b)}};
  for (const Pair& pair : comparison.pairs) {
    const bool is_same_work =
        work_of_two(pair.a, pair.b, options.scaling).is_comparable;
    for (const std::string& region : options.regions) {
      for (const Model model : options.models) {
        document.blocks.emplace_back(
            table_of(pair, region, model, options, is_same_work));
      }
    }
  }
  // The first run of each side stands for its side: repeated runs are alike.
  Table placement = placement_difference(first.a.runs.front().report,
                                         first.b.runs.front().report);
  if (!placement.rows.empty())
    document.blocks.emplace_back(std::move(placement));
  FactList notes = note_list(notes_of(comparison, options));
  notes.facts.push_back({"Noise", noise_sentence(comparison.pairs)});
  document.blocks.emplace_back(std::move(notes));
  return document;
}

}  // namespace poprt
