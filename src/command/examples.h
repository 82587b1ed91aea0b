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

// Help as CLI11 has it, with the examples.
class HelpWithExamples : public CLI::Formatter {
 public:
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace poprt

#endif  // POPRT_COMMAND_EXAMPLES_H_
