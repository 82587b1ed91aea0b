// Example command lines, which --help and the man pages show.  A test runs
// them.
#ifndef POPRT_MANUAL_EXAMPLES_H_
#define POPRT_MANUAL_EXAMPLES_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace poprt {

struct Example {
  // the command: "run"; "" is poprt, "env" its environment
  const char* command;
  const char* line;  // as typed in a shell
  const char* what;  // what it does
};

// The examples of one command, the most useful one first.  Every command has at
// least one.
std::vector<Example> examples_of(const std::string& command);

// The lines of a help text, broken at blanks if they are too long.
// Continuation lines begin in the column of the text.
std::string reflowed(const std::string& text, size_t width);

// CLI11's help, with the examples.
class HelpWithExamples : public CLI::Formatter {
 public:
  std::string make_footer(const CLI::App* app) const override;
  // As wide as the terminal, or 80 columns.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace poprt

#endif  // POPRT_MANUAL_EXAMPLES_H_
