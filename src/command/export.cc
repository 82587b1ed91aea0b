// poprt export: runs in the forms that other tools read.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/exported_files.h"
#include "command/run_sets.h"
#include "exchange/formats.h"
#include "report/format.h"

namespace poprt {
namespace {

struct ExportArguments {
  std::vector<std::string> paths;
  std::string to;
  std::string output;
  std::string scaling = "auto";
  bool any_program = false;
};

// Why this run cannot be exported; empty where it can.
std::string obstacle(const JobReport& report, const std::string& to) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return "nothing was measured";
  if (to == "otfcpt" && !global->clocks_complete) {
    return "the critical path of Global is not known, which OTF-CPT's rows "
           "need";
  }
  return "";
}

// How the names of a form's files end.
std::string_view suffix_of(const std::string& to) {
  return to == "talp" ? ".json" : to == "otfcpt" ? ".txt" : ".csv";
}

// BasicAnalysis' tables compare the runs; kGood, or a complaint and why not.
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
  const auto choice = scaling_choice(arguments.scaling, configurations);
  if (!choice) return kIncomparable;
  *files = basic_analysis_files(reports, choice->scaling);
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
  if (arguments.to == "basicanalysis") {
    const ExitCode code = compare(*runs, arguments, reports, &files);
    if (code != kGood) return code;
  } else {
    files = arguments.to == "talp"     ? talp_files(reports)
            : arguments.to == "otfcpt" ? otfcpt_files(reports)
                                       : csv_files(reports, names);
  }
  // TALP-Pages leaves out what is not in a folder of its own.
  const char* const usual = arguments.to == "talp" ? "talp" : "";
  return save_files(files, arguments.output, suffix_of(arguments.to), usual)
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
                   "Run files, and folders with run files; - is stdin")
      ->required();
  command
      ->add_option("-t,--to", arguments->to,
                   "talp: JSON for TALP-Pages; otfcpt: text for CPT-plot; "
                   "basicanalysis: its CSV tables, runs as columns; csv: all "
                   "metrics of all regions")
      ->check(CLI::IsMember({"talp", "otfcpt", "basicanalysis", "csv"}))
      ->required();
  command->add_option("-o,--output", arguments->output,
                      "Folder for the files, or the file where it is one "
                      "(- is stdout); never over an existing file: a number "
                      "is added");
  add_scaling(command, &arguments->scaling,
              "What basicanalysis's scalability and speedup compare: the same "
              "work in all runs (strong) or on each core (weak); auto: decided "
              "from the data");
  add_any_program(command, &arguments->any_program);
  command->callback([=] { *run = [=] { return run_export(*arguments); }; });
}

}  // namespace poprt
