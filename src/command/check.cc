// poprt check: thresholds for continuous integration.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/run_sets.h"
#include "command/thresholds.h"
#include "compare/checks.h"
#include "compare/variants.h"
#include "document/format.h"
#include "document/render.h"

namespace poprt {
namespace {

struct CheckArguments {
  std::vector<std::string> paths;
  std::vector<std::string> minima;
  std::vector<std::string> maxima;
  std::vector<std::string> baseline;
  std::string tolerance = "0.05";
  std::vector<std::string> models;
  std::vector<std::string> regions;
  std::string junit;
  std::string color = "auto";
  std::string scaling = "auto";
  bool any_program = false;
  bool any_light = false;
};

using Configurations = std::vector<Configuration>;

// Adds the thresholds of one option. False, with a complaint, if one is wrong
// or names a region that no run has.
bool add_thresholds(const std::vector<std::string>& texts, Bound bound,
                    const Configurations& runs,
                    std::vector<Threshold>* thresholds) {
  const Model usual = usual_models(runs).front();
  for (const std::string& text : texts) {
    std::string complaint;
    const auto threshold = parse_threshold(text, bound, usual, &complaint);
    if (!threshold) {
      complain(complaint);
      return false;
    }
    const auto regions = regions_matching(runs, {threshold->region});
    if (!regions) return false;
    for (const std::string& region : *regions) {
      thresholds->push_back(*threshold);
      thresholds->back().region = region;
    }
  }
  return true;
}

// Replaces an existing file: tools for continuous integration expect the file
// of the last run.
bool replace_file(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr;
  if (good)
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) good = std::fclose(file) == 0 && good;
  if (!good) {
    complain(printable(path) + ": cannot be written: " + std::strerror(errno));
  }
  return good;
}

int run_check(const CheckArguments& arguments) {
  auto models = models_named(arguments.models);
  const auto tolerance = parse_fraction(arguments.tolerance);
  if (!models) return kBadInput;
  if (!tolerance) {
    complain("--tolerance " + printable(arguments.tolerance) +
             ": is not one of 0 to 1 or 0% to 100%.");
    return kBadInput;
  }
  const bool only_light = arguments.minima.empty() &&
                          arguments.maxima.empty() &&
                          arguments.baseline.empty();
  if (only_light && arguments.any_light) {
    complain(
        "nothing to check: give --min METRIC=VALUE, --max METRIC=VALUE or "
        "--baseline FILE, or leave out --any-light.");
    return kBadInput;
  }
  const auto runs = read_configurations(arguments.paths);
  if (!runs) return kBadInput;
  std::vector<Threshold> thresholds;
  if (!add_thresholds(arguments.minima, Bound::kLeast, *runs, &thresholds) ||
      !add_thresholds(arguments.maxima, Bound::kMost, *runs, &thresholds)) {
    return kBadInput;
  }
  Configurations all = *runs;
  std::optional<Configurations> baseline = Configurations();
  if (!arguments.baseline.empty()) {
    baseline = read_configurations(arguments.baseline);
    if (!baseline) return kBadInput;
    all.insert(all.end(), baseline->begin(), baseline->end());
  }
  if (models->empty()) models = usual_models(all);
  const auto regions = regions_matching(all, arguments.regions);
  if (!regions) return kBadInput;
  const std::string why = incomparable(all, arguments.any_program);
  if (!why.empty()) {
    complain(why);
    return kIncomparable;
  }
  std::vector<Check> checks;
  std::vector<std::string> notes;
  if (only_light) {
    notes.emplace_back(
        "Only the light was checked: --min, --max and --baseline check "
        "numbers.");
  }
  const auto add = [&](const std::vector<Check>& more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  for (const Configuration& run : *runs) {
    if (!arguments.any_light) {
      add(only_light ? check_only_light(run) : check_light(run));
    }
    add(check_thresholds(run, thresholds));
    if (arguments.baseline.empty()) continue;
    const Configuration* const before = counterpart_of(run, *baseline);
    if (before == nullptr) {
      const bool alike = have_shape_of(run, *baseline);
      complain(fmt::format(
          "the baseline has {} with {} (ranks x threads){} to compare {} with.",
          alike ? "several runs" : "no run", run.name,
          alike ? ", none of the same command," : "",
          printable(run.runs[0].path)));
      return kIncomparable;
    }
    const WorkOfTwo work =
        work_of_two(*before, run, scaling_said(arguments.scaling));
    if (!work.note.empty()) notes.push_back("baseline: " + work.note);
    if (!work.is_comparable) {
      notes.push_back("Computation Scaling of " + run.name +
                      " is not checked.");
    }
    add(check_baseline(run, *before, *regions, *models, *tolerance, work));
  }
  for (const auto& list :
       {notes, unmade_notes(checks), letter_notes(*runs), light_notes(all)}) {
    for (const std::string& note : list) write_out(" " + note + "\n");
  }
  const TextStyle style = style_of_stdout(arguments.color);
  for (const FactList& list : check_lists(checks)) {
    write_out(block_text(list, style));
  }
  std::fflush(stdout);  // before a complaint on stderr
  if (!arguments.junit.empty() &&
      !replace_file(arguments.junit, checks_junit(checks, *runs))) {
    return kBadInput;
  }
  return are_good(checks) ? kGood : kFallsShort;
}

}  // namespace

void add_check(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* const command = app->add_subcommand(
      "check", "Fail where metrics fall short of thresholds or a baseline");
  command
      ->add_option("FILE", arguments->paths,
                   "Run files, and folders with run files; of repeated runs "
                   "the median is checked")
      ->required();
  command
      ->add_option("--min", arguments->minima,
                   "[REGION/]METRIC=VALUE, the least that the metric may be: "
                   "Global/parallel_efficiency=0.8, talp.mpi_load_balance=80%, "
                   "ipc=1.5, frequency=2.5GHz; can be given several times")
      ->allow_extra_args(false);
  command
      ->add_option("--max", arguments->maxima,
                   "[REGION/]METRIC=VALUE, the most that the metric may be: "
                   "solve/instructions=3.2G; can be given several times")
      ->allow_extra_args(false);
  command
      ->add_option("--baseline", arguments->baseline,
                   "Run file or folder of earlier runs, of which no metric may "
                   "fall short")
      ->allow_extra_args(false);
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "How much a metric may be below the baseline")
      ->capture_default_str();
  add_scaling(command, &arguments->scaling,
              "Whether the baseline had the same work (strong), or each core "
              "(weak); auto: as metadata, command lines and instructions tell");
  add_models(command, &arguments->models,
             "Models to compare with the baseline: pop, critical_path "
             "(default; talp of imported runs), multiplicative, additive, talp "
             "or all; several with commas");
  add_regions(command, &arguments->regions,
              "Regions to compare with the baseline, by name or pattern; "
              "several with commas; default: Global");
  command->add_option("--junit", arguments->junit,
                      "Also write the results to this file, as JUnit's XML; an "
                      "older one is replaced");
  add_color(command, &arguments->color);
  add_any_program(command, &arguments->any_program);
  command->add_flag("--any-light", arguments->any_light,
                    "Do not fail where a run cannot be judged (red light)");
  command->callback([=] { *run = [=] { return run_check(*arguments); }; });
}

}  // namespace poprt
