// The runs that a command compares, as the user names them.
#ifndef POPRT_COMMAND_STUDY_H_
#define POPRT_COMMAND_STUDY_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command/command.h"
#include "compare/scaling_document.h"
#include "compare/scaling_table.h"

namespace poprt {

struct StudyArguments {
  std::vector<std::string> paths;
  std::string scaling = "auto";
  std::string load;
  std::string reference;
  double reference_ghz = 0;
  std::vector<std::string> models;
  std::vector<std::string> regions;
  bool any_program = false;
};

// Adds FILE, --scaling, --load, --ref, --reference-frequency, --model and
// --region.
void add_study(CLI::App* command, StudyArguments* arguments);

struct Study {
  ScalingStudy runs;
  std::string how;  // strong or weak, and why
  std::vector<Model> models;
  std::vector<std::string> regions;
};

// Any other code than kGood with a complaint.
ExitCode read_study(const StudyArguments& arguments, Study* study);

}  // namespace poprt

#endif  // POPRT_COMMAND_STUDY_H_
