// The command line as a value.  Completions and man pages are made from it, so
// they say what --help says.
#ifndef POPRT_MANUAL_DESCRIPTION_H_
#define POPRT_MANUAL_DESCRIPTION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poprt {

struct ArgumentDescription {
  // "-m", "--model"; "FILE" for a positional argument
  std::vector<std::string> names;
  std::string value;                 // "TEXT"; empty for a flag
  std::vector<std::string> choices;  // valid values; empty if any is valid
  bool takes_list = false;           // takes several choices, with commas
  bool is_required = false;
  bool is_repeated = false;
  std::string fallback;
  std::string help;
};

struct CommandDescription {
  std::string name;
  std::string help;
  std::string footer;
  bool runs_program = false;  // what follows is another command line
  std::vector<ArgumentDescription> options;
  std::vector<ArgumentDescription> positionals;
  std::vector<CommandDescription> commands;
};

CommandDescription describe(const CLI::App& app);

// Scripts that complete what is typed in a shell.
std::string to_bash(const CommandDescription& program);
std::string to_zsh(const CommandDescription& program);
std::string to_fish(const CommandDescription& program);

struct ManPage {
  std::string name;  // of the file: "poprt-run.1"
  std::string text;  // in the language of man
};

// poprt.1, one page for each command, and poprt-env.7.
std::vector<ManPage> man_pages(const CommandDescription& program);

}  // namespace poprt

#endif  // POPRT_MANUAL_DESCRIPTION_H_
