// The program `poprt`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/suggestion.h"
#include "document/format.h"
#include "manual/examples.h"

namespace poprt {
namespace {

// CLI11's complaints have several lines; the first has the message.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

int no_command(const std::string& name, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const each : app.get_subcommands({})) {
    names.push_back(each->get_name());
  }
  complain("no command \"" + printable(name) + "\"." +
           did_you_mean(name, names) + " poprt --help lists them.");
  return kBadInput;
}

// A complaint about the first word that looks like an option and that the
// command does not have; "" if there is none.
std::string unknown_option(const CLI::App& app,
                           const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string whose = "poprt";
  for (const std::string& word : words) {
    if (const auto found = app.get_subcommands(
            [&](const CLI::App* each) { return each->get_name() == word; });
        command == &app && !found.empty()) {
      command = found.front();
      whose += " " + word;
      continue;
    }
    if (word == "--") break;
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name =
        word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
    if (command->get_option_no_throw(name) != nullptr) continue;
    std::vector<std::string> names;
    for (const CLI::Option* const option : command->get_options()) {
      for (const std::string& each : option->get_lnames()) {
        names.push_back("--" + each);
      }
    }
    return "no option " + printable(name) + " of " + whose + "." +
           did_you_mean(name, names) + " " + whose + " --help lists them.";
  }
  return "";
}

// The commands by what they are for, in the order of --help.
void group_commands(const CLI::App& app) {
  constexpr std::pair<const char*, std::array<const char*, 3>> kGroups[] = {
      {"Measure", {"run", "doctor"}},
      {"Read a run", {"report", "explain", "plot"}},
      {"Compare runs", {"scale", "diff", "check"}},
      {"Exchange with other tools", {"export", "import", "schema"}},
      {"More", {"completion", "help"}}};
  for (const auto& [title, names] : kGroups) {
    for (const char* const name : names) {
      if (name != nullptr) app.get_subcommand(name)->group(title);
    }
  }
}

// For who types only `poprt`.
std::string first_examples() {
  constexpr size_t kShown = 3;
  std::vector<Example> examples = examples_of("");
  examples.resize(std::min(examples.size(), kShown));
  std::string text = "poprt tells where the cores' time goes in a program.\n\n";
  for (const Example& example : examples) {
    text += fmt::format("  {}\n      {}\n", example.line, example.what);
  }
  return text + "\npoprt --help lists all commands.\n";
}

// `poprt FILE` shows the run; `poprt FILE FILE...` and `poprt FOLDER` show how
// runs scale.  Returns the command that is meant, "" if the first word is no
// path.
std::string command_for_paths(const std::vector<std::string>& words) {
  std::error_code error;
  const auto paths_end = std::find_if_not(
      words.begin(), words.end(),
      [&](const auto& word) { return std::filesystem::exists(word, error); });
  if (paths_end == words.begin()) return "";
  const bool are_several = paths_end - words.begin() > 1 ||
                           std::filesystem::is_directory(words.front(), error);
  return are_several ? "scale" : "report";
}

int run_command(int argc, char** argv) {
  CLI::App app("POP efficiency metrics of MPI + OpenMP programs", "poprt");
  app.set_version_flag("--version", "poprt " POPRT_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpWithExamples>());
  Run run;
  // The words after "--" belong to the program.
  char** const end = argv + argc;
  char** const own_end = argc > 1 && std::string(argv[1]) == "run"
                             ? std::find(argv, end, std::string("--"))
                             : end;
  const std::vector<std::string> tail(own_end, end);
  add_run(&app, &tail, &run);
  add_report(&app, &run);
  add_scale(&app, &run);
  add_plot(&app, &run);
  add_diff(&app, &run);
  add_check(&app, &run);
  add_explain(&app, &run);
  add_export(&app, &run);
  add_import(&app, &run);
  add_schema(&app, &run);
  add_doctor(&app, &run);
  add_completion(&app, &run);
  add_man(&app, &run);
  std::string topic;
  CLI::App* const help = app.add_subcommand("help", "Show help for a command");
  help->add_option("COMMAND", topic, "One of the commands");
  help->callback([&] {
    const std::string text =
        topic.empty() ? app.help() : app.get_subcommand(topic)->help("poprt");
    run = [text] {
      write_out(text);
      return kGood;
    };
  });
  group_commands(app);
  // Last, so that the commands do not inherit it.
  app.footer(
      "poprt COMMAND --help has the options of a command.\n"
      "Exit codes: 0 good, 1 a threshold is not met or a run cannot be judged "
      "(check), 2 usage or a file that cannot be read, 3 runs that cannot be "
      "compared.");
  std::vector<std::string> words(argv + std::min(argc, 1), own_end);
  const auto is_first = [&](const CLI::App* command) {
    return !words.empty() && command->get_name() == words.front();
  };
  if (app.get_subcommands(is_first).empty()) {
    const std::string command = command_for_paths(words);
    if (!command.empty()) words.insert(words.begin(), command);
  }
  const std::vector<std::string> in_order = words;
  // CLI11 takes them in reverse order
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::OptionNotFound&) {
    return no_command(topic, app);
  } catch (const CLI::Success& shown) {  // --help, --version
    std::ostringstream text;
    app.exit(shown, text, text);
    run = [text = text.str()] {
      write_out(text);
      return kGood;
    };
  } catch (const CLI::ParseError& error) {
    if (app.get_subcommands().empty() && argc > 1 && *argv[1] != '-') {
      return no_command(argv[1], app);
    }
    if (const std::string what = unknown_option(app, in_order); !what.empty()) {
      complain(what);
      return kBadInput;
    }
    if (app.get_subcommands().empty() && argc == 1) {
      std::fputs(first_examples().c_str(), stderr);
      return kBadInput;
    }
    const std::string command =
        app.get_subcommands().empty()
            ? ""
            : " " + app.get_subcommands().front()->get_name();
    const std::string mistake = first_line(error.what());
    complain(mistake + (mistake.ends_with('?') ? " poprt" : "; poprt") +
             command + " --help tells more.");
    return kBadInput;
  }
  const int code = run();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("the output could not be written.");
    return kBadInput;
  }
  return code;
}

}  // namespace
}  // namespace poprt

int main(int argc, char** argv) {
  try {
    return poprt::run_command(argc, argv);
  } catch (const std::exception& error) {
    poprt::complain(error.what());
    return poprt::kBadInput;
  }
}
