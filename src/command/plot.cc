// poprt plot: figures, and their data.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/one_of.h"
#include "command/study.h"
#include "command/svg_converter.h"
#include "compare/figure.h"
#include "document/format.h"
#include "page/drawing.h"

namespace poprt {
namespace {

struct PlotArguments {
  StudyArguments study;
  std::string kind;
  std::string output = "-";
  std::vector<double> thresholds;
  double width_mm = 0;
};

constexpr std::string_view kEndings[] = {"csv", "svg", "pdf", "png"};

// By the ending of the output; nullopt, with a complaint, if that is none of
// kEndings, or a drawing and this poprt cannot draw.
std::optional<std::string_view> form_of(const std::string& output) {
  if (output == "-") return "csv";
  const auto* const form =
      std::ranges::find_if(kEndings, [&](std::string_view each) {
        return output.ends_with("." + std::string(each));
      });
  if (form == std::end(kEndings)) {
    complain(fmt::format(
        "-o {} does not end in .svg, .pdf, .png or .csv: that is what poprt "
        "plot writes.",
        printable(output)));
    return std::nullopt;
  }
  if (*form == "csv") return *form;
  const std::string why = why_no_drawings();
  if (why.empty()) return *form;
  complain(fmt::format("{}: write .csv.", why));
  return std::nullopt;
}

// nullopt, with a complaint, if there is nothing to draw or it goes wrong.
std::optional<std::string> drawing_of(const FigureKind& kind,
                                      const Figure& figure, const Study& study,
                                      const Thresholds& thresholds,
                                      double width_mm) {
  const char* const why = why_not_drawn(kind, figure);
  if (why != nullptr) {
    complain(
        fmt::format("--kind {}: {}; -o x.csv has the numbers.", kind.key, why));
    return std::nullopt;
  }
  Drawing drawing = {kind.key, kind.help, &figure};
  drawing.thresholds = thresholds;
  drawing.width_mm = width_mm;
  if (std::string_view(kind.key) == "table") {
    ScalingOptions options;
    options.thresholds = thresholds;
    drawing.table.push_back(scaling_values(study.runs, study.regions.front(),
                                           study.models.front(), options));
  }
  std::string reason;
  std::optional<std::string> svg = svg_of(drawing, &reason);
  if (!svg) {
    complain(
        fmt::format("the figure cannot be drawn, which is a mistake of "
                    "poprt: {}",
                    printable(reason)));
  }
  return svg;
}

int run_plot(const PlotArguments& arguments) {
  const auto form = form_of(arguments.output);
  if (!form) return kBadInput;
  const auto thresholds = thresholds_of(arguments.thresholds);
  if (!thresholds) return kBadInput;
  Study study;
  if (const ExitCode code = read_study(arguments.study, &study);
      code != kGood) {
    return code;
  }
  const FigureKind& kind = *figure_kind(arguments.kind);
  ScalingOptions options = {study.models, study.regions};
  options.thresholds = *thresholds;
  const Figure figure = kind.figure(study.runs, options);
  if (figure.names.empty()) {
    complain(fmt::format("--kind {}: {}.", kind.key, kind.lacks));
    return kBadInput;
  }
  std::optional<std::string> contents =
      *form == "csv"
          ? figure_csv(figure)
          : drawing_of(kind, figure, study, *thresholds, arguments.width_mm);
  if (contents && (*form == "pdf" || *form == "png")) {
    contents = converted(*contents, std::string(*form));
  }
  return contents && save(arguments.output, *contents) ? kGood : kBadInput;
}

}  // namespace

void add_plot(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* const command = app->add_subcommand(
      "plot", "Draw a figure for papers and slides, and its data");
  add_study(command, &arguments->study);
  std::vector<std::string> kinds;
  std::string help;
  for (const FigureKind& kind : figure_kinds()) {
    kinds.emplace_back(kind.key);
    help +=
        (help.empty() ? "" : "; ") + std::string(kind.key) + ": " + kind.help;
  }
  command->add_option("-k,--kind", arguments->kind, help)
      ->check(one_of(kinds))
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the figure (.svg, .pdf, .png) or its data (.csv), "
                   "never over an existing one: a number is added; - is the "
                   "data on stdout")
      ->capture_default_str();
  command
      ->add_option("--width", arguments->width_mm,
                   "Width of the figure; default: 88, a column of a paper, and "
                   "up to 180, the page, for tables of many runs")
      ->type_name("MM")
      ->check(CLI::Range(40.0, 1000.0));
  add_thresholds(command, &arguments->thresholds);
  add_any_program(command, &arguments->study.any_program);
  command->callback([=] { *run = [=] { return run_plot(*arguments); }; });
}

}  // namespace poprt
