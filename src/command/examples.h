// Command lines to start from: what --help and the man pages show, and a test
// runs.
#ifndef POPRT_COMMAND_EXAMPLES_H_
#define POPRT_COMMAND_EXAMPLES_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poprt {

struct Example {
  const char* command;  // whose: "run"; "" is poprt, "env" its environment
  const char* line;     // for a shell
  const char* what;     // it does
};

// Those of one command, the first for most users; at least one for each.
std::vector<Example> examples_of(const std::string& command);

// The lines of a help text, cut at blanks where they are too long; what goes on
// begins in the column where it began.
std::string reflowed(const std::string& text, size_t width);

// Help as CLI11 has it, with the examples.
class HelpWithExamples : public CLI::Formatter {
 public:
  std::string make_footer(const CLI::App* app) const override;
  // As wide as the terminal, or 80 columns.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace poprt

#endif  // POPRT_COMMAND_EXAMPLES_H_
