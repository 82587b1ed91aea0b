// The subcommands of `poprt`.  Each adds itself to the command line; when it is
// given, it stores in `run` what to do.
#ifndef POPRT_COMMAND_COMMAND_H_
#define POPRT_COMMAND_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace poprt {

// Exit codes of `poprt`, documented in docs/command.md.
enum ExitCode {
  kGood = 0,
  kFallsShort = 1,    // a threshold is not met, or a light is red
  kBadInput = 2,      // usage, or a file that cannot be read
  kIncomparable = 3,  // runs that cannot be compared
};

using Run = std::function<int()>;

void add_report(CLI::App* app, Run* run);
void add_scale(CLI::App* app, Run* run);
void add_plot(CLI::App* app, Run* run);
void add_diff(CLI::App* app, Run* run);
void add_check(CLI::App* app, Run* run);
void add_explain(CLI::App* app, Run* run);
void add_export(CLI::App* app, Run* run);
void add_import(CLI::App* app, Run* run);
void add_schema(CLI::App* app, Run* run);
// `tail`: the command line from "--" on, which belongs to the program that is
// run.
void add_run(CLI::App* app, const std::vector<std::string>* tail, Run* run);

void add_doctor(CLI::App* app, Run* run);
// Must be added last, because they describe all others.
void add_completion(CLI::App* app, Run* run);
void add_man(CLI::App* app, Run* run);

}  // namespace poprt

#endif  // POPRT_COMMAND_COMMAND_H_
