#include "compare/assessment_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/study_view.h"
#include "compare/variants.h"
#include "document/format.h"
#include "report/core_time.h"
#include "report/findings.h"
#include "report/heading.h"
#include "report/notes.h"
#include "report/rankings.h"
#include "report/report_document.h"

namespace poprt {
namespace {

constexpr size_t kRegionsToFix = 3;

// A place for the analyst: what to write there.
Paragraph to_write(std::string what) { return {std::move(what), true}; }

class Assessment : StudyView {
 public:
  using StudyView::StudyView;

  std::vector<Block> blocks(const std::string& how) {
    background(how);
    structure();
    focus();
    scalability();
    efficiencies();
    load_balance();
    serial_performance();
    communication();
    root_causes();
    recommendations();
    return std::move(blocks_);
  }

 private:
  void add(Block block) { blocks_.push_back(std::move(block)); }
  void section(const char* key, const char* title) { add(Section{title, key}); }
  void say(std::string sentence) {
    if (!sentence.empty()) add(Paragraph{std::move(sentence)});
  }

  void say_finding() {
    for (const Finding& finding : main_finding(report_)) say(finding.sentence);
  }

  void background(const std::string& how) {
    section("background", "Background");
    FactList facts;
    facts.facts.push_back({"Program", command_line(report_.context)});
    facts.facts.push_back({"Runs", names_of(study_.configurations)});
    facts.facts.push_back({"Scaling", how});
    facts.facts.push_back(reference_fact(study_));
    std::string label = largest_.name;
    for (const auto& line : report_document(report_, {}, "").lines) {
      facts.facts.push_back({label, fmt::format("{}", fmt::join(line, ", "))});
      label.clear();
    }
    for (const std::string& note :
         variant_notes(study_.configurations, study_.reference)) {
      facts.facts.push_back({"Note", note});
    }
    add(std::move(facts));
    add(to_write(
        "who asked for the assessment and why; what the code computes, its "
        "language and parallel programming models; the input; the machine"));
  }

  void structure() {
    section("application_structure", "Application structure");
    Table table = shares_of_regions();
    if (table.rows.empty()) {
      say("No part of the program is marked as a region "
          "(pop_region_start(), pop_region_stop()): all numbers are of the "
          "whole.");
    } else {
      const auto largest =
          std::ranges::max_element(table.rows, {}, [&](const TableRow& row) {
            const double share = row.cells[last_].value;
            return std::isnan(share) ? -1 : share;
          });
      if (const double share = largest->cells[last_].value; share >= 0) {
        say(fmt::format(
            "Of the marked regions, {} takes most time: {} % of "
            "the run time of {}.",
            printable(largest->label), percent(share), largest_.name));
      }
      add(std::move(table));
    }
    add(to_write(
        "the phases of a run (initialisation, iterations, output), how data "
        "and work are distributed, which phase repeats"));
  }

  void focus() {
    section("focus_of_analysis", "Focus of analysis");
    std::vector<std::string> others = options_.regions;
    std::erase(others, kGlobalRegion);
    for (std::string& each : others) each = printable(each);
    say("The numbers are of the whole program (Global): " +
        std::string(report_.totals.has_mpi
                        ? "from the end of MPI_Init to MPI_Finalize"
                        : "from its start to its end") +
        (others.empty() ? "." : ", and of " + listed(others) + "."));
    const std::vector<std::string> notes = quality_notes(report_);
    if (!notes.empty()) add(note_list(notes));
    add(
        to_write("which part of the program is looked at, and why it stands "
                 "for a production run"));
  }

  void scalability() {
    section("scalability", "Scalability");
    if (study_.reference == last_) {
      say("There is no larger run to compare " + reference_.name + " with.");
    } else if (std::isfinite(value("speedup_efficiency", last_))) {
      say(fmt::format(
          "From {} to {} ({:.0f} to {:.0f} cores) the run time went from {} to "
          "{}: a speedup of {:.2f}, {} % of the ideal.",
          reference_.name, largest_.name, cores_of(study_.reference),
          cores_of(last_), time_of(study_.reference), time_of(last_),
          value("speedup", last_),
          percent(value("speedup_efficiency", last_))));
      say(first_below());
    } else if (study_.scaling == Scaling::kUnknown) {
      say("How much work each run had is not known, and so neither the speedup "
          "nor Global Efficiency: the background says why.");
    }
    add(table_with("Scalability", [](std::string_view key) {
      constexpr std::string_view kKeys[] = {"runs",
                                            "run_time_ns",
                                            "spread",
                                            "load_increase_factor",
                                            "speedup",
                                            "speedup_efficiency",
                                            "global_efficiency"};
      return std::ranges::find(kKeys, key) != std::end(kKeys);
    }));
    add(
        to_write("up to how many cores the program is worth running, and what "
                 "the users need"));
  }

  void efficiencies() {
    section("efficiencies", "Efficiencies");
    Findings findings = scaling_findings(study_, model_);
    findings.next.clear();
    for (const Finding& finding : findings.findings) say(finding.sentence);
    for (const std::string& region : options_.regions) {
      add(scaling_values(study_, region, model_, options_));
    }
    add(to_write("what the table says in the words of the code's developers"));
  }

  void load_balance() {
    section("load_balance", "Load balance");
    const auto is_row = [](std::string_view key) {
      return key.find("load_balance") != std::string_view::npos;
    };
    say(lowest(is_row));
    add(table_with("Load balance", is_row));
    add(
        to_write("which ranks or threads have more work, and which data or "
                 "loop gives it to them"));
  }

  void serial_performance() {
    section("serial_performance", "Serial performance");
    const auto is_row = [](std::string_view key) {
      return key.ends_with("_scaling") || key.starts_with("average_") ||
             key.starts_with("vectorisation_");
    };
    const double scaling = value("computation_scaling", last_);
    if (study_.reference != last_ && std::isfinite(scaling)) {
      say(fmt::format(
          "Computation Scaling of {} is {} %: for the same work, the useful "
          "time "
          "of all cores {}.",
          largest_.name, percent(scaling),
          percent(scaling) == percent(1) ? "is that of the reference"
          : scaling > 1                  ? "is less than that of the reference"
                        : "is more than that of the reference"));
    }
    if (!std::isfinite(value("average_ipc", last_))) {
      say("Instructions and cycles were not counted; poprt run "
          "--counters=default "
          "counts them.");
    }
    add(table_with("Serial performance", is_row));
    add(
        to_write("what limits a core: instructions, memory, vectorisation, "
                 "frequency"));
  }

  void communication() {
    section("communication", "Communication");
    const auto is_row = [](std::string_view key) {
      constexpr std::string_view kWords[] = {"communication", "serialisation",
                                             "serialization", "transfer",
                                             "scheduling"};
      return std::ranges::any_of(kWords, [&](std::string_view word) {
        return key.find(word) != std::string_view::npos;
      });
    };
    say(lowest(is_row));
    add(table_with("Communication", is_row));
    add(
        to_write("which calls, messages or barriers these are, and who waits "
                 "for whom"));
  }

  void root_causes() {
    section("root_causes", "Root causes");
    say_finding();
    if (job_core_ns(report_) > 0) {
      add(core_time_bars(report_));
      say(loss_among_bars(report_));
    }
    for (Table& table : std::vector<Table>{region_ranking(report_),
                                           parallel_region_ranking(report_),
                                           parallel_region_sources(report_)}) {
      if (!table.rows.empty()) add(std::move(table));
    }
    add(
        to_write("why it is so: the place in the code, with a trace or a "
                 "profile where needed"));
  }

  void recommendations() {
    section("recommendations", "Recommendations");
    const size_t before = blocks_.size();
    size_t regions = 0;
    for (const RegionReport& region : report_.regions) {
      const bool is_global = &region == global_region(report_);
      if (!is_global && regions++ == kRegionsToFix) break;
      say(gain_of(region));
    }
    if (blocks_.size() == before) say_finding();
    add(
        to_write("what to change first, what it costs, what it should gain, "
                 "and whether to measure again"));
  }

  std::vector<Block> blocks_;
};

}  // namespace

Document assessment_document(const ScalingStudy& study, const std::string& how,
                             const ScalingOptions& options) {
  const Configuration& reference = study.configurations[study.reference];
  Document document = {
      "Performance assessment of " +
      printable(reference.runs.front().report.context.program)};
  document.blocks = Assessment(study, options).blocks(how);
  return document;
}

}  // namespace poprt
