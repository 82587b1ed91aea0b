// poprt plot: the data of figures.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/study.h"
#include "compare/figure.h"
#include "report/format.h"

namespace poprt {
namespace {

struct PlotArguments {
  StudyArguments study;
  std::string kind;
  std::string output = "-";
};

int run_plot(const PlotArguments& arguments) {
  const bool is_csv =
      arguments.output == "-" || arguments.output.ends_with(".csv");
  if (!is_csv) {
    complain(fmt::format(
        "-o {} does not end in .csv: that is what poprt plot writes.",
        printable(arguments.output)));
    return kBadInput;
  }
  Study study;
  if (const ExitCode code = read_study(arguments.study, &study);
      code != kGood) {
    return code;
  }
  const FigureKind& kind = *figure_kind(arguments.kind);
  const Figure figure = kind.figure(study.runs, {study.models, study.regions});
  if (figure.names.empty()) {
    complain(fmt::format("--kind {}: {}.", kind.key, kind.lacks));
    return kBadInput;
  }
  return save(arguments.output, figure_csv(figure)) ? kGood : kBadInput;
}

}  // namespace

void add_plot(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* const command = app->add_subcommand(
      "plot", "Write the data of a figure, for papers and slides");
  add_study(command, &arguments->study);
  std::vector<std::string> kinds;
  std::string help;
  for (const FigureKind& kind : figure_kinds()) {
    kinds.emplace_back(kind.key);
    help +=
        (help.empty() ? "" : "; ") + std::string(kind.key) + ": " + kind.help;
  }
  command->add_option("-k,--kind", arguments->kind, help)
      ->check(CLI::IsMember(kinds))
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the data (.csv), never over an existing one: a "
                   "number is added; - is stdout")
      ->capture_default_str();
  add_any_program(command, &arguments->study.any_program);
  command->callback([=] { *run = [=] { return run_plot(*arguments); }; });
}

}  // namespace poprt
