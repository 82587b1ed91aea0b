#include "session/output.h"

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.h"
#include "base/kept_environment.h"
#include "base/kernel_text.h"
#include "base/log.h"
#include "base/new_file.h"
#include "base/open_files.h"
#include "base/run_word.h"
#include "base/terminal.h"
#include "code_places/source_location.h"
#include "document/format.h"
#include "document/render.h"
#include "model/noted.h"
#include "model/plausible.h"
#include "report/heading.h"
#include "report/report_document.h"
#include "run_file/writer.h"
#include "session/batch_job.h"
#include "session/checkout.h"
#include "session/performance_variables.h"
#include "session/program_name.h"

namespace poprt {
namespace {

// How long finding the places in the source may take, once per job.
constexpr int64_t kLocationBudgetNs = 3'000'000'000;

// The places in the source of these constructs; why they are not known if it is
// this process that cannot find them.
std::vector<std::string> construct_locations(
    const std::vector<ConstructTotals>& constructs, std::string* why_not) {
  std::vector<CodeAddress> addresses;
  for (const ConstructTotals& c : constructs) {
    addresses.push_back({c.module, c.offset});
  }
  const std::string helper = location_helper();
  if (helper.empty() && !addresses.empty()) {
    *why_not = "it is not beside poprt's library";
  }
  return source_locations(addresses, kLocationBudgetNs, helper, why_not);
}

// Other folders for the run file if it cannot be written where it should: first
// where the user looks, then where anybody may write.
std::vector<std::string> other_folders() {
  std::vector<std::string> folders = {"."};
  const char* const tmp = kept_variable("TMPDIR");
  if (tmp != nullptr && *tmp != '\0') folders.push_back(tmp);
  folders.push_back("/tmp");
  return folders;
}

// How long to wait for the readers of a pipe that POPRT_OUTPUT names.
constexpr int64_t kStreamPatienceNs = 5'000'000'000;

std::string path_of_run_file(const Options& options, const JobReport& report) {
  const std::string path =
      run_file_path(options.output, is_directory(options.output),
                    report.context.program, report.totals.processes,
                    threads_of_processes(report.totals), host_name(), getpid());
  if (!options.output.empty()) return path;
  const std::string folder = safe_folder(".");
  return folder.empty() || folder == "." ? path : folder + "/" + path;
}

// Returns the path of the run file, or "".
std::string save(const Options& options, const JobReport& report) {
  const std::string content = to_json(report);
  SavedFile saved;
  if (!is_stream(options.output)) {
    saved =
        save_file(path_of_run_file(options, report), content, other_folders());
  } else if (write_to_stream(options.output, content, kStreamPatienceNs)) {
    return options.output;
  } else {
    const char* const changed =
        why_not_written(descriptor_named_by(options.output));
    const std::string problem =
        "cannot write " + options.output + " (" +
        (changed != nullptr ? std::string("it ") + changed
                            : std::strerror(errno)) +
        ")";
    Options usual = options;
    usual.output.clear();
    saved =
        save_file(path_of_run_file(usual, report), content, other_folders());
    saved.complaint =
        problem + (saved.path.empty() ? "; no run file"
                                      : "; the run file is " + saved.path);
  }
  if (!saved.complaint.empty()) say(printable(saved.complaint));
  return saved.path;
}

// Says in the run file what is not written because its descriptor may belong to
// a file of the program now.
void note_changed_files(const Options& options, JobTotals* totals) {
  std::vector<std::string>& notes = totals->quality.notes;
  if (options.text) {
    if (const char* const why = why_not_written(STDERR_FILENO)) {
      notes.push_back(noted<"report_not_printed">("stderr", why));
    }
  }
  if (options.json) {
    const int file = descriptor_named_by(options.output);
    if (const char* const why = why_not_written(file)) {
      notes.push_back(noted<"run_file_elsewhere">(options.output, why));
    }
  }
}

// If stderr has not taken all of the report, the run file has a note.
void write_text(const std::string& text, const Options& options,
                const std::string& run_file, JobReport* report) {
  if (why_not_written(STDERR_FILENO) != nullptr) return;  // is noted
  const size_t written = write_stderr(text);
  if (written == text.size() || run_file.empty() || is_stream(options.output)) {
    return;
  }
  report->totals.quality.notes.push_back(
      noted<"report_cut">(std::strerror(errno), written, text.size()));
  rewrite_file(run_file, to_json(*report));
}

}  // namespace

static std::string name_of(const std::vector<std::string>& command) {
  const std::string executable = own_executable();
  return program_name(
      executable.empty() ? program_invocation_short_name : executable, command);
}

std::string program_of_process() { return name_of(own_command()); }

void describe_program(RunContext* context) {
  context->command = own_command();
  context->job = batch_job(kept_variable);
  context->environment = performance_variables(kept_environment());
  context->measured_by = POPRT_VERSION;
  context->program = name_of(context->command);
}

void describe_sources(RunContext* context) {
  const std::string executable = own_executable();
  context->checkout = checkout_of(executable.substr(0, executable.rfind('/')));
}

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

static void write_all(const Settings& settings, RunContext context,
                      JobTotals totals) {
  const Options& options = settings.options;
  for (const std::string& line : settings.complaints) {
    write_stderr(printable(line) + "\n");
  }

  describe_program(&context);
  describe_sources(&context);
  complete_job(&totals);
  note_changed_files(options, &totals);
  std::string why_not;
  JobReport report = make_report(
      std::move(context), std::move(totals),
      [&](const auto& all) { return construct_locations(all, &why_not); });
  if (!why_not.empty()) {
    report.totals.quality.notes.push_back(noted<"no_locations">(why_not));
  }
  note_order_of_clocks(&report);
  std::string run_file;
  if (options.json) run_file = save(options, report);
  if (options.text) {
    // Under a launcher stderr is its pipe, and there is no terminal.
    const TextStyle style = {.color = color_wanted(STDERR_FILENO),
                             .width = terminal_columns(STDERR_FILENO)};
    write_text(
        render_text(report_document(report, options.models, run_file), style),
        options, run_file, &report);
  }
  tell_run(options.text || !run_file.empty() ? RunWord::kReport
                                             : RunWord::kExplained);
  if (options.text && why_not_written(STDERR_FILENO) != nullptr) {
    tell_run(RunWord::kNotPrinted, run_file);
  }
}

void write_report(const Settings& settings, RunContext context,
                  JobTotals totals) {
  struct Report {
    const Settings& settings;
    RunContext context;
    JobTotals totals;
  } report = {settings, std::move(context), std::move(totals)};
  const bool written = completes(
      [](void* data) {
        Report& it = *static_cast<Report*>(data);
        write_all(it.settings, std::move(it.context), std::move(it.totals));
      },
      &report);
  if (!written) say("the report is not complete: please report this");
}

}  // namespace poprt
