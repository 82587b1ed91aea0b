#include "command/common_options.h"

namespace poprt {

void add_models(CLI::App* command, std::vector<std::string>* models,
                const char* help) {
  command->add_option("-m,--model", *models, help)
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_regions(CLI::App* command, std::vector<std::string>* regions,
                 const char* help) {
  command->add_option("-r,--region", *regions, help)
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_color(CLI::App* command, std::string* color) {
  command
      ->add_option("--color", *color,
                   "Colour in text; auto: on a terminal, unless NO_COLOR is "
                   "set")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

void add_scaling(CLI::App* command, std::string* scaling, const char* help) {
  command->add_option("--scaling", *scaling, help)
      ->check(CLI::IsMember({"auto", "strong", "weak"}))
      ->capture_default_str();
}

void add_any_program(CLI::App* command, bool* any_program) {
  command->add_flag("--any-program", *any_program,
                    "Compare runs of programs with different names");
}

}  // namespace poprt
