// The options of `poprt run`: what they set and how they are checked.
#ifndef POPRT_COMMAND_RUN_ARGUMENTS_H_
#define POPRT_COMMAND_RUN_ARGUMENTS_H_

#include <string>
#include <vector>

#include "base/options.h"
#include "launch/environment.h"
#include "launch/plan.h"

namespace poprt {

// A variable of the library and the option that sets it.
struct Twin {
  std::string variable;
  std::string option;
  std::string value;
};

struct RunArguments {
  std::vector<Twin> twins;
  std::string omp = "auto";
  std::string mpi = "auto";
  std::string counter_table;  // a file; empty for none
};

// "--report" for POPRT_REPORT.
std::string option_for(const std::string& variable);

// The environment for the library, with the options added to it.
Environment with_options(Environment environment,
                         const RunArguments& arguments);

// The options that the library will read there; it complains itself.
Options options_in(const Environment& environment);

// Whether the library will write a report in this environment.
bool wants_report(const Environment& environment);

// A complaint about a wrong option; "" if there is none.
std::string mistake_in(const RunArguments& arguments,
                       const Installation& installation);

// A complaint about the place where the libraries are installed; "" if there is
// none.
std::string mistake_in(const Installation& installation);

// The value of POPRT_COUNTERS, by the option or the environment.
std::string counters_asked_for(const Environment& environment,
                               const RunArguments& arguments);
// The arguments with this value for it.
RunArguments with_counters(RunArguments arguments, const std::string& counters);

// Completes the paths in --omp, --mpi and --counter-table.  A library named
// without a folder is a file here, not one for the loader to search, and the
// program may run in another folder.
void make_paths_absolute(RunArguments* arguments);

// The words that start poprt itself in front of a program.
std::vector<std::string> own_words(const RunArguments& arguments);

}  // namespace poprt

#endif  // POPRT_COMMAND_RUN_ARGUMENTS_H_
