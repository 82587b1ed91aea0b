#include "command/common_options.h"

#include "command/arguments.h"
#include "command/one_of.h"

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

void add_thresholds(CLI::App* command, std::vector<double>* thresholds) {
  *thresholds = {Thresholds().poor, Thresholds().good};
  command
      ->add_option("--thresholds", *thresholds,
                   "Fractions below which an efficiency is poor (x) and wants "
                   "attention (!)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->default_str("0.6,0.8");
}

std::optional<Thresholds> thresholds_of(const std::vector<double>& given) {
  if (given.size() == 2 && 0 <= given[0] && given[0] <= given[1] &&
      given[1] <= 1) {
    return Thresholds{given[0], given[1]};
  }
  complain(
      "--thresholds takes two fractions, below which an efficiency is poor and "
      "wants attention: 0.6,0.8.");
  return std::nullopt;
}

void add_color(CLI::App* command, std::string* color) {
  command
      ->add_option("--color", *color,
                   "Colour in text; auto: on a terminal, unless NO_COLOR is "
                   "set")
      ->check(one_of({"auto", "always", "never"}))
      ->capture_default_str();
}

void add_scaling(CLI::App* command, std::string* scaling, const char* help) {
  command->add_option("--scaling", *scaling, help)
      ->check(one_of({"auto", "strong", "weak"}))
      ->capture_default_str();
}

void add_any_program(CLI::App* command, bool* any_program) {
  command->add_flag("--any-program", *any_program,
                    "Compare runs of programs with different names");
}

}  // namespace poprt
