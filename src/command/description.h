// The command line as a value: what completions and man pages are made from, so
// that they say what --help says.
#ifndef POPRT_COMMAND_DESCRIPTION_H_
#define POPRT_COMMAND_DESCRIPTION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poprt {

struct ArgumentDescription {
  std::vector<std::string> names;    // "-m", "--model"; of a positional "FILE"
  std::string value;                 // "TEXT"; empty for a flag
  std::vector<std::string> choices;  // valid values; empty: any
  bool takes_list = false;           // several choices, with commas
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

// Scripts for the shells that complete what is typed.
std::string to_bash(const CommandDescription& program);
std::string to_zsh(const CommandDescription& program);
std::string to_fish(const CommandDescription& program);

struct ManPage {
  std::string name;  // of the file: "poprt-run.1"
  std::string text;  // for man
};

// poprt.1, a page for each command, poprt-env.7.
std::vector<ManPage> man_pages(const CommandDescription& program);

}  // namespace poprt

#endif  // POPRT_COMMAND_DESCRIPTION_H_
