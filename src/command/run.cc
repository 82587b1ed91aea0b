// poprt run: starts a program with the library preloaded.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/libomp_search.h"
#include "base/log.h"
#include "base/options.h"
#include "base/run_word.h"
#include "base/spawn_words.h"
#include "base/terminal.h"
#include "command/arguments.h"
#include "command/command.h"
#include "command/counter_sets.h"
#include "command/installed.h"
#include "command/run_arguments.h"
#include "command/suggestion.h"
#include "document/format.h"
#include "document/render.h"
#include "document/shell_word.h"
#include "launch/launcher/launcher.h"
#include "launch/loader/measured_program.h"
#include "launch/loader/program.h"
#include "launch/plan.h"
#include "launch/process/process.h"
#include "launch/process/run_watch.h"
#include "report/report_document.h"
#include "run_file/pieces.h"

namespace poprt {
namespace {

// The exit codes of env, nohup and time.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

int cannot_run(const std::string& name, int error) {
  complain(
      fmt::format("cannot run {}: {}.", printable(name), std::strerror(error)));
  tell_run(RunWord::kExplained);
  return error == ENOENT ? kNotFound : kCannotRun;
}

// Shows what was kept of a job that has not come to its end.
void show_pieces(const std::string& folder, const Environment& environment) {
  if (!has_pieces(folder)) return;
  std::string complaint;
  const auto report = read_pieces(folder, &complaint);
  if (!report) return complain(complaint);
  const Options options = options_in(environment);
  complain("what was measured until then: poprt report " +
           printable(shell_word(folder)));
  if (!options.text) return;
  const TextStyle style = {.color = color_wanted(STDERR_FILENO),
                           .width = terminal_columns(STDERR_FILENO)};
  write_stderr(
      render_text(report_document(*report, options.models, folder), style));
}

// Runs the program as a child, and explains why if there is no report.  What is
// known already counts as heard: that the first process of a single program is
// on this node.  A launcher's first process tells that itself.
int run_and_wait(const std::string& path, const std::vector<std::string>& words,
                 Environment changes, const RunWords& known,
                 const Environment& environment) {
  RunWatch watch;
  for (const RunWord word : known) watch.note(word);
  changes[kRunWordVariable] = watch.name();
  const bool is_task = is_in_job(environment) && getpgrp() == getpid();
  const int status = wait_for(path, words, changes,
                              {watch.file(), [&] { watch.listen(); }, is_task});
  if (status == -1) return cannot_run(words[0], errno);
  watch.listen();
  const std::string why = why_no_report(watch.heard(), status);
  if (!why.empty() && !watch.name().empty()) {
    complain("no report: " + why + ".");
  }
  if (watch.heard().count(RunWord::kReport) == 0) {
    show_pieces(watch.pieces(), environment);
  }
  if (watch.heard().count(RunWord::kNotPrinted) != 0) {
    complain(
        "the report was not printed, because the program's stderr is another "
        "file than when it began" +
        (watch.run_file().empty()
             ? "."
             : ": poprt report " + printable(watch.run_file())));
  }
  if (watch.heard().count(RunWord::kUnmeasuredSpawn) != 0) {
    complain(
        "processes that MPI_Comm_spawn started were not measured: poprt has "
        "not "
        "found their program.");
  }
  return end_as(status);
}

// Replaces this process, if it need not wait for the report.
int run_in_place(const std::string& path, const std::vector<std::string>& words,
                 const Environment& changes) {
  become(path, words, changes);
  return cannot_run(words[0], errno);
}

int run_launcher(const std::string& path, const std::vector<std::string>& words,
                 const Launcher& launcher, const RunArguments& arguments,
                 const Environment& environment) {
  const LauncherLine line = programs_in(words, launcher);
  if (!line.complaint.empty()) {
    complain(printable(base_name(words[0])) + ": " + printable(line.complaint));
    return kBadInput;
  }
  if (line.programs.empty()) return run_in_place(path, words, {});
  replace_dead_stderr();
  const std::vector<std::string> changed =
      with_inserted(words, launcher, line.programs, own_words(arguments));
  return wants_report(environment)
             ? run_and_wait(path, changed, {}, {}, environment)
             : run_in_place(path, changed, {});
}

int run_program(const std::string& path, const std::vector<std::string>& words,
                const RunArguments& arguments, const Environment& environment,
                const LoaderCache& cache,
                const std::vector<ProcessorFamily>& table) {
  const Environment asked = with_options(environment, arguments);
  std::string name;
  const Program program = measured_program(words, environment, cache, &name);
  OpenMpChoice openmp{arguments.omp, ""};
  if (arguments.omp == "auto" && !program.libgomp.empty()) {
    openmp.libomp = find_libomp({folder_of(program.libgomp)});
  }
  openmp.missing_version =
      missing_version(arguments.omp == "auto" ? openmp.libomp : arguments.omp,
                      program.c_library);
  Plan plan =
      plan_program(base_name(name), program, asked, installation(), openmp,
                   mpi_choice_of(arguments.mpi).value_or(MpiChoice{}));
  const bool is_first = is_first_of_job(environment);
  if (is_first) complain(plan.message + ".");
  for (const Twin& twin : arguments.twins) {
    if (!twin.value.empty()) plan.changes[twin.variable] = twin.value;
  }
  if (const std::string counters = counters_asked_for(environment, arguments);
      !counters.empty()) {
    plan.changes["POPRT_COUNTERS"] = events_for(counters, table, is_first);
  }
  const bool is_measured = plan.changes.count("LD_PRELOAD") != 0;
  if (is_measured) {
    plan.changes[kSpawnVariable] = spawn_value(own_words(arguments));
  }
  if (is_first && !is_measured) tell_run(RunWord::kExplained);
  if (submits_jobs(words)) {
    if (is_first && is_measured) {
      complain(
          "the programs of the job report where they run, if the batch system "
          "passes the environment on.");
    }
    return run_in_place(path, words, plan.changes);
  }
  // Exactly one poprt waits for a job: the one around the launcher if it is on
  // the node of the first process, else the one around the first process.
  const bool waits = is_first && is_measured && wants_report(asked) &&
                     !tell_run(RunWord::kStarted);
  RunWords known = {RunWord::kStarted};
  if (!plan.other_mpis.empty()) known.insert(RunWord::kNoMpi);
  if (is_first && !waits) {
    for (const RunWord word : known) tell_run(word);
  }
  return waits ? run_and_wait(path, words, plan.changes, known, asked)
               : run_in_place(path, words, plan.changes);
}

// Runs the command once for each set of counters, as long as it succeeds.
int run_all_sets(const std::string& counters,
                 const std::vector<ProcessorFamily>& table,
                 const std::vector<std::string>& words,
                 const RunArguments& arguments,
                 const Environment& environment) {
  if (is_in_job(environment)) {
    complain(
        "--counters=all-sets repeats the program, which is possible only in "
        "front of the launcher: poprt run --counters=all-sets mpirun ...");
    return kBadInput;
  }
  const std::vector<std::string> values = values_for_all_sets(counters, table);
  for (size_t i = 0; i < values.size(); ++i) {
    complain(fmt::format("run {} of {}, with --counters={}", i + 1,
                         values.size(), printable(values[i])));
    std::vector<std::string> command =
        own_words(with_counters(arguments, values[i]));
    const std::string program = command[0];
    command.insert(command.end(), words.begin(), words.end());
    const int status = wait_for(program, command, {}, {});
    if (status == -1) return cannot_run(program, errno);
    if (status != 0) return end_as(status);
  }
  return kGood;
}

int run_run(RunArguments arguments, const std::vector<std::string>& words) {
  if (words.empty()) {
    complain("run: no command; poprt run --help tells more.");
    return kBadInput;
  }
  if (words[0].size() > 1 && words[0][0] == '-') {
    std::vector<std::string> options = {"--help", "--omp", "--mpi",
                                        "--counter-table"};
    for (const Twin& twin : arguments.twins) options.push_back(twin.option);
    const std::string name = words[0].substr(0, words[0].find('='));
    complain(fmt::format("run: no option {}.{} poprt run --help lists them.",
                         printable(words[0]), did_you_mean(name, options)));
    return kBadInput;
  }
  make_paths_absolute(&arguments);
  for (const std::string& mistake :
       {mistake_in(arguments, installation()), mistake_in(installation())}) {
    if (mistake.empty()) continue;
    complain(mistake);
    return kBadInput;
  }
  const Environment environment = own_environment();
  const LoaderCache cache = loader_cache();
  const Program program = inspect_program(words[0], environment, cache);
  if (program.kind == Kind::kMissing) return cannot_run(words[0], ENOENT);
  if (program.kind == Kind::kNotExecutable) {
    return cannot_run(words[0], EACCES);
  }
  const std::string counters = counters_asked_for(environment, arguments);
  std::optional<std::vector<ProcessorFamily>> table(std::in_place);
  if (!counters.empty() || !arguments.counter_table.empty()) {
    table = counter_table(arguments.counter_table);
    if (!table) return kBadInput;
  }
  if (asks_for_all_sets(counters)) {
    return run_all_sets(counters, *table, words, arguments, environment);
  }
  const Launcher* const launcher = launcher_of(words, program);
  if (launcher == nullptr) {
    return run_program(program.path, words, arguments, environment, cache,
                       *table);
  }
  return run_launcher(program.path, words, *launcher, arguments,
                      with_options(environment, arguments));
}

}  // namespace

void add_run(CLI::App* app, const std::vector<std::string>* tail, Run* run) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* const command =
      app->add_subcommand("run", "Run a program with the library preloaded");
  const std::vector<OptionText> texts = option_texts();
  for (const OptionText& text : texts) {
    arguments->twins.push_back({text.name, option_for(text.name), ""});
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    Twin& twin = arguments->twins[i];
    const std::string letter = twin.option == "--output"  ? "-o,"
                               : twin.option == "--model" ? "-m,"
                                                          : "";
    command
        ->add_option(letter + twin.option, twin.value,
                     texts[i].help + " Sets " + twin.variable + ".")
        ->type_name(texts[i].words.empty() ? "TEXT"
                                           : "{" + texts[i].words + "},...")
        ->default_str(texts[i].fallback);
  }
  command
      ->add_option("--omp", arguments->omp,
                   "What becomes of GCC's OpenMP, which tells tools nothing; "
                   "auto: LLVM's runtime answers in its place where it can; "
                   "keep: it stays; or the path of a runtime to preload")
      ->type_name("auto|keep|PATH")
      ->capture_default_str();
  command
      ->add_option("--mpi", arguments->mpi,
                   "Which MPI is measured; auto: that of the program's file, "
                   "else of its launcher. For what loads MPI later (R, Julia): "
                   "openmpi, mpich, abi (MPI's standard ABI), or the path of "
                   "the MPI library or of a "
                   "libpoprt.so")
      ->type_name("auto|openmpi|mpich|abi|PATH")
      ->capture_default_str();
  command
      ->add_option("--counter-table", arguments->counter_table,
                   "A file with sets of counters for --counters, beside those "
                   "that poprt knows (docs/counters.md)")
      ->type_name("FILE");
  command->footer(
      "poprt run [OPTIONS] [--] COMMAND...\n"
      "COMMAND is a program with its arguments, or a launcher with its own (" +
      known_launchers() +
      "); behind a launcher poprt works as well.\n"
      "Exit code: that of COMMAND, whose signals are passed on, too; 127 where "
      "there is no COMMAND, 126 where it cannot be run, 2 for a mistake in the "
      "options.");
  command->prefix_command();
  command->callback([=] {
    *run = [=] {
      std::vector<std::string> words = command->remaining();
      // After the command's first word, "--" belongs to the command.
      const bool separates = words.empty() && !tail->empty();
      words.insert(words.end(), tail->begin() + (separates ? 1 : 0),
                   tail->end());
      return run_run(*arguments, words);
    };
  });
}

}  // namespace poprt
