// poprt export: writes runs in the forms that other tools read.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/exported_files.h"
#include "command/one_of.h"
#include "command/run_sets.h"
#include "document/format.h"
#include "exchange/formats.h"

namespace poprt {
namespace {

struct ExportArguments {
  std::vector<std::string> paths;
  std::string to;
  std::string output;
  std::string scaling = "auto";
  bool any_program = false;
};

// Why this run cannot be exported; empty if it can.
std::string obstacle(const JobReport& report, const std::string& to) {
  if (to == "json") return "";
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return "nothing was measured";
  // None of these forms has a way to say it.
  if (to != "csv" && is_incomplete(report.context)) {
    return "it did not come to its end, and lower bounds would be written as "
           "values";
  }
  const bool has_times = to == "otfcpt" || to == "talp";
  if (has_times && is_unseen(report.totals, EventLayer::kOpenMp)) {
    return "its OpenMP is not known, and would be written as perfect";
  }
  if (to == "otfcpt" && !global->clocks_complete) {
    return "the critical path of Global is not known, which OTF-CPT's rows "
           "need";
  }
  return "";
}

std::vector<ExportedFile> run_files(const std::vector<JobReport>& reports) {
  std::vector<ExportedFile> files;
  std::ranges::transform(reports, std::back_inserter(files), run_file_of);
  return files;
}

// One form of other tools, or of poprt's own.
struct Form {
  const char* name;
  const char* suffix;  // of its files
  const char* folder;  // for the files unless one is given
  const char* help;
  // nullptr: it compares the runs (basic_analysis_files).
  std::vector<ExportedFile> (*files)(const std::vector<JobReport>& reports,
                                     const std::vector<std::string>& names);
};

constexpr Form kForms[] = {
    // TALP-Pages ignores files that are not in a folder of their own.
    {"talp", ".json", "talp", "JSON for TALP-Pages",
     [](const auto& reports, const auto&) { return talp_files(reports); }},
    {"otfcpt", ".txt", "", "text for CPT-plot",
     [](const auto& reports, const auto&) { return otfcpt_files(reports); }},
    {"basicanalysis", ".csv", "", "its CSV tables, runs as columns", nullptr},
    {"csv", ".csv", "", "all metrics of all regions", csv_files},
    {"json", ".json", "",
     "run files of the newest schema, also from a page (report -o x.html)",
     [](const auto& reports, const auto&) { return run_files(reports); }},
};

// Compares the runs for BasicAnalysis' tables; returns kGood, or complains and
// returns why not.
ExitCode compare(const std::vector<RunFile>& runs,
                 const ExportArguments& arguments,
                 const std::vector<JobReport>& reports,
                 std::vector<ExportedFile>* files) {
  const std::vector<Configuration> configurations = configurations_of(runs);
  const std::string why = incomparable(configurations, arguments.any_program);
  if (!why.empty()) {
    complain(why);
    return kIncomparable;
  }
  const auto choice =
      scaling_choice(arguments.scaling, /*load=*/std::nullopt, configurations);
  if (!choice) return kIncomparable;
  if (choice->scaling == Scaling::kUnknown) {
    complain("scaling is " + choice->how + ".");
  }
  *files = basic_analysis_files(reports, choice->scaling, choice->load);
  return kGood;
}

int run_export(const ExportArguments& arguments) {
  const auto runs = read_runs(arguments.paths);
  if (!runs) return kBadInput;
  std::vector<JobReport> reports;
  std::vector<std::string> names;
  for (const RunFile& run : *runs) {
    const std::string why = obstacle(run.report, arguments.to);
    if (!why.empty()) {
      complain(fmt::format("{} cannot be exported to {}: {}.",
                           printable(run.path), arguments.to, why));
      return kBadInput;
    }
    reports.push_back(run.report);
    names.push_back(run.path);
  }
  std::vector<ExportedFile> files;
  const Form& form = *std::ranges::find_if(
      kForms, [&](const Form& each) { return each.name == arguments.to; });
  if (form.files != nullptr) {
    files = form.files(reports, names);
  } else {
    const ExitCode code = compare(*runs, arguments, reports, &files);
    if (code != kGood) return code;
  }
  return save_files(files, arguments.output, form.suffix, form.folder)
             ? kGood
             : kBadInput;
}

}  // namespace

void add_export(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* const command = app->add_subcommand(
      "export", "Write runs in the forms that other tools read");
  command
      ->add_option("FILE", arguments->paths,
                   "Run files, folders with run files, and pages; - is stdin")
      ->required();
  std::vector<std::string> names;
  std::string help;
  for (const Form& form : kForms) {
    names.emplace_back(form.name);
    help +=
        fmt::format("{}{}: {}", help.empty() ? "" : "; ", form.name, form.help);
  }
  command->add_option("-t,--to", arguments->to, help)
      ->check(one_of(names))
      ->required();
  command->add_option("-o,--output", arguments->output,
                      "Folder for the files, or the file where it is one "
                      "(- is stdout); never over an existing file: a number "
                      "is added");
  add_scaling(command, &arguments->scaling,
              "What basicanalysis's scalability and speedup compare: the same "
              "work in all runs (strong) or on each core (weak); auto: as in "
              "scale");
  add_any_program(command, &arguments->any_program);
  command->callback([=] { *run = [=] { return run_export(*arguments); }; });
}

}  // namespace poprt
