// poprt scale: makes the POP scaling table of several runs.
#include <memory>
#include <string>
#include <string_view>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/formats.h"
#include "command/one_of.h"
#include "command/pages.h"
#include "command/study.h"
#include "compare/assessment_document.h"
#include "compare/scaling_document.h"

namespace poprt {
namespace {

struct ScaleArguments {
  StudyArguments study;
  std::string view = "median";
  Output output;
  bool assessment = false;
};

int run_scale(const ScaleArguments& arguments) {
  const Format* const format = format_of(arguments.output, Shows::kScaling);
  if (format == nullptr) return kBadInput;
  const bool is_page = std::string_view(format->name) == "html";
  if (arguments.assessment && format->render == nullptr && !is_page) {
    complain(std::string("--assessment is read by people: no ") + format->name +
             ".");
    return kBadInput;
  }
  const auto thresholds = thresholds_of(arguments.output.thresholds);
  if (!thresholds) return kBadInput;
  Study study;
  if (const ExitCode code = read_study(arguments.study, &study);
      code != kGood) {
    return code;
  }
  if (is_page) {
    PageOptions page = {study.models, {}, *thresholds};
    if (!arguments.study.regions.empty()) page.first.regions = study.regions;
    page.first.spread = arguments.view == "spread";
    const auto make = arguments.assessment ? page_of_assessment : page_of_study;
    return save(arguments.output.path, make(study.runs, study.how, page))
               ? kGood
               : kBadInput;
  }
  const ScalingOptions options = {study.models, study.regions,
                                  arguments.view == "spread", *thresholds};
  const auto document =
      arguments.assessment ? assessment_document : scaling_document;
  const std::string text =
      format->render != nullptr
          ? format->render(document(study.runs, study.how, options),
                           style_of(arguments.output))
      : std::string_view(format->name) == "json"
          ? scaling_json(study.runs, study.how, options)
          : scaling_csv(study.runs, options);
  return save(arguments.output.path, text) ? kGood : kBadInput;
}

}  // namespace

void add_scale(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ScaleArguments>();
  CLI::App* const command =
      app->add_subcommand("scale", "Show how several runs of a program scale");
  add_study(command, &arguments->study);
  add_output(command, &arguments->output, "tables", Shows::kScaling);
  command
      ->add_option("--view", arguments->view,
                   "Of repeated runs show the median, or the largest less the "
                   "least (spread)")
      ->check(one_of({"median", "spread"}))
      ->capture_default_str();
  command->add_flag("--assessment", arguments->assessment,
                    "Write the skeleton of a performance assessment, with "
                    "places for the analyst's words (-o assessment.md, "
                    "assessment.html)");
  add_any_program(command, &arguments->study.any_program);
  command->callback([=] { *run = [=] { return run_scale(*arguments); }; });
}

}  // namespace poprt
