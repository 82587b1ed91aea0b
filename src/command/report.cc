// poprt report: shows the report of a run again, also in other forms.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/formats.h"
#include "command/one_of.h"
#include "command/pages.h"
#include "command/run_sets.h"
#include "command/window_numbers.h"
#include "document/format.h"
#include "model/present_rows.h"
#include "report/csv.h"
#include "report/details.h"
#include "report/places_csv.h"
#include "report/processes.h"
#include "report/report_document.h"
#include "report/table_options.h"
#include "report/threads.h"
#include "run_file/pieces.h"
#include "run_file/reader.h"
#include "run_file/writer.h"

namespace poprt {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::vector<std::string> models;
  std::vector<std::string> regions;
  std::vector<std::string> windows;
  std::string view = "efficiency";
  Output output;
  bool processes = false;
  bool threads = false;
  bool calls = false;
  bool full = false;
};

// What -p, --threads and --calls ask for; a complaint and false where the run
// does not have it.
bool has_wanted_rows(const ReportArguments& arguments, const JobReport& report,
                     const std::string& file) {
  if (arguments.processes && !has_rows(report)) {
    complain(printable(file) +
             " has no rows of processes; run it with poprt run --rows process "
             "(or POPRT_ROWS=process).");
    return false;
  }
  if (arguments.threads && !has_thread_rows(report)) {
    complain(printable(file) +
             " has no rows of threads; run it with poprt run --rows thread "
             "(or POPRT_ROWS=thread).");
    return false;
  }
  if (arguments.calls && !has_places(report)) {
    complain(printable(file) +
             " has no MPI calls and OpenMP constructs by place; run it with "
             "poprt run --calls on (or POPRT_CALLS=on).");
    return false;
  }
  return true;
}

View view_of(const ReportArguments& arguments) {
  return arguments.view == "loss" ? View::kLoss : View::kEfficiency;
}

// The page with what the options ask for shown first.
int write_page(const ReportArguments& arguments,
               const std::vector<Model>& models, const Thresholds& thresholds) {
  const auto runs = read_runs(arguments.files);
  if (!runs) return kBadInput;
  PageOptions options = {models, {}, thresholds};
  options.first.view = view_of(arguments);
  options.first.processes = arguments.processes;
  for (const RunFile& run : *runs) {
    if (!has_wanted_rows(arguments, run.report, run.path)) return kBadInput;
    const auto regions =
        regions_matching(run.report, arguments.regions, run.path);
    if (!regions) return kBadInput;
    std::ranges::copy_if(*regions, std::back_inserter(options.first.regions),
                         [&](const std::string& name) {
                           return std::ranges::find(options.first.regions,
                                                    name) ==
                                  options.first.regions.end();
                         });
  }
  return save(arguments.output.path, page_of_runs(*runs, options)) ? kGood
                                                                   : kBadInput;
}

// Of a run file, or of the pieces of a job in a folder.
std::optional<JobReport> report_in(const std::string& path,
                                   std::string* complaint) {
  return has_pieces(path) ? read_pieces(path, complaint)
                          : read_run_file(path, complaint);
}

int report_files(const ReportArguments& arguments) {
  const auto named = models_named(arguments.models);
  if (!named) return kBadInput;
  const auto thresholds = thresholds_of(arguments.output.thresholds);
  if (!thresholds) return kBadInput;
  const Format* const format = format_of(arguments.output, Shows::kRuns);
  if (format == nullptr) return kBadInput;
  const std::string_view name = format->name;
  if (name == "json" &&
      (arguments.files.size() > 1 || !arguments.regions.empty())) {
    complain(
        "--format json takes one FILE and no --region: it writes a whole run "
        "file.");
    return kBadInput;
  }
  if (name == "csv" &&
      arguments.processes + arguments.threads + arguments.calls > 1) {
    complain(
        "--processes, --threads and --calls are different tables: csv has one "
        "of them at a time.");
    return kBadInput;
  }
  if (name == "html") return write_page(arguments, *named, *thresholds);
  // Read all files before anything is written: bad input gives no output.
  std::string output;
  ProcessesCsv processes;
  const bool is_processes_csv = name == "csv" && arguments.processes;
  const bool is_threads_csv = name == "csv" && arguments.threads;
  const bool is_places_csv = name == "csv" && arguments.calls;
  const bool is_csv =
      name == "csv" && !is_processes_csv && !is_threads_csv && !is_places_csv;
  if (is_csv) output = csv_heading();
  if (is_threads_csv) output = threads_csv_heading();
  if (is_places_csv) output = places_csv_heading();
  for (const std::string& file : arguments.files) {
    std::string complaint;
    const auto report = report_in(file, &complaint);
    if (!report) {
      complain(complaint);
      return kBadInput;
    }
    // CSV is for programs: by default it has all models and regions.
    const std::vector<Model> models =
        !named->empty() ? *named
        : is_csv && !is_imported(*report)
            ? std::vector<Model>(std::begin(kModels), std::end(kModels))
            : usual_models(*report);
    TableOptions options;
    const std::vector<std::string> all = {"*"};
    const auto regions = regions_matching(*report,
                                          (is_csv || arguments.full) &&
                                                  arguments.regions.empty() &&
                                                  arguments.windows.empty()
                                              ? all
                                              : arguments.regions,
                                          file);
    if (!regions) return kBadInput;
    options.regions = *regions;
    // In CSV all regions are shown, and so are all windows.
    const bool all_windows = is_csv && arguments.regions.empty() &&
                             arguments.windows.empty() &&
                             !report->windows.list.empty();
    const auto windows = windows_named(
        *report,
        all_windows ? std::vector<std::string>{"all"} : arguments.windows,
        file);
    if (!windows) return kBadInput;
    options.windows = *windows;
    options.view = view_of(arguments);
    if (!has_wanted_rows(arguments, *report, file)) return kBadInput;
    if (arguments.processes) options.blocks = process_blocks(*report, options);
    if (arguments.threads) {
      std::ranges::move(thread_blocks(*report, options),
                        std::back_inserter(options.blocks));
    }
    options.thresholds = *thresholds;
    options.all_rows = arguments.full;
    options.all_places = arguments.full || arguments.calls;
    if (format->render != nullptr) {
      if (!output.empty()) output += format->between;
      Document document = report_document(*report, models, file, options);
      if (arguments.full) {
        std::ranges::move(details(*report, file, options),
                          std::back_inserter(document.blocks));
      }
      output += format->render(document, style_of(arguments.output));
    } else if (is_processes_csv) {
      processes.add(*report, file, options);
    } else if (is_threads_csv) {
      output += threads_csv(*report, file, options);
    } else if (is_places_csv) {
      output += places_csv(*report, file, options);
    } else if (name == "csv") {
      output += to_csv(*report, file, models, options);
      if (named->empty() && arguments.regions.empty()) {
        output += job_csv(*report, file);
      }
    } else {
      output += to_json(*report);
    }
  }
  if (is_processes_csv) output = processes.text();
  return save(arguments.output.path, output) ? kGood : kBadInput;
}

// A folder stands for the runs in it, those that did not come to their end
// included.
int run_report(ReportArguments arguments) {
  const auto files = files_of_runs(arguments.files);
  if (!files) return kBadInput;
  arguments.files = *files;
  return report_files(arguments);
}

}  // namespace

void add_report(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* const command = app->add_subcommand(
      "report", "Show the report of a run from its run file");
  command
      ->add_option("FILE", arguments->files,
                   "Run files, - for stdin, and folders with run files or with "
                   "what jobs left that did not come to their end "
                   "(*.poprt-parts)")
      ->required();
  add_models(command, &arguments->models);
  add_regions(command, &arguments->regions,
              "Regions to show, by name or pattern (solve*); several with "
              "commas");
  command
      ->add_option("--window", arguments->windows,
                   "Windows to show, by number (3), from one to another (1-4) "
                   "or all, if the run has them (poprt run --windows)")
      ->delimiter(',')
      ->type_name("NUMBER");
  add_output(command, &arguments->output, "report", Shows::kRuns);
  command
      ->add_option("--view", arguments->view,
                   "Show efficiencies, or what each row lost")
      ->check(one_of({"efficiency", "loss"}))
      ->capture_default_str();
  command->add_flag("-p,--processes", arguments->processes,
                    "Show the times of processes, if the run file has them "
                    "(poprt run --rows process); csv: of them alone");
  command->add_flag("--threads", arguments->threads,
                    "Show the threads with the most and the least useful time, "
                    "if the run file has them (poprt run --rows thread); csv: "
                    "all of them, alone");
  command->add_flag("--calls", arguments->calls,
                    "Show the MPI calls and OpenMP constructs of each region "
                    "by place, if the run file has them (poprt run --calls "
                    "on); csv: of them alone");
  command->add_flag("--full", arguments->full,
                    "Show all that a page has: every region and every row of "
                    "the lists, the core time of each region, the hosts, data "
                    "quality and provenance; html, csv and json always do");
  command->callback([=] { *run = [=] { return run_report(*arguments); }; });
}

}  // namespace poprt
