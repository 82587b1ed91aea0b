// The options of `poprt run`: what they set, and what is wrong with them.
#ifndef POPRT_COMMAND_RUN_ARGUMENTS_H_
#define POPRT_COMMAND_RUN_ARGUMENTS_H_

#include <string>
#include <vector>

#include "launch/environment.h"
#include "launch/plan.h"

namespace poprt {

// A variable of the library, and the option that sets it.
struct Twin {
  std::string variable;
  std::string option;
  std::string value;
};

struct RunArguments {
  std::vector<Twin> twins;
  std::string omp = "auto";
  std::string mpi = "auto";
};

// "--report" for POPRT_REPORT.
std::string option_for(const std::string& variable);

// What the library is told: the environment, and the options before it.
Environment with_options(Environment environment,
                         const RunArguments& arguments);

// Whether the library will make one, told so.
bool wants_report(const Environment& environment);

// A mistake in an option, as a complaint; "" for none.
std::string mistake_in(const RunArguments& arguments,
                       const Installation& installation);

// What is wrong with the place of the libraries, as a complaint; "" for
// nothing.
std::string mistake_in(const Installation& installation);

// The values of --omp and --mpi with the whole path: a library that is named
// without its folder is a file here, and none that the loader is to look for;
// and the program may be in another folder.
void make_paths_absolute(RunArguments* arguments);

// Which words poprt itself is started with before a program.
std::vector<std::string> own_words(const RunArguments& arguments);

}  // namespace poprt

#endif  // POPRT_COMMAND_RUN_ARGUMENTS_H_
