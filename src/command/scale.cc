// poprt scale: the POP scaling table over several runs.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/run_sets.h"
#include "compare/scaling_writers.h"
#include "report/format.h"

namespace poprt {
namespace {

struct ScaleArguments {
  std::vector<std::string> paths;
  std::string scaling = "auto";
  std::string reference;
  std::vector<std::string> models;
  std::vector<std::string> regions;
  std::string format = "text";
  std::string view = "median";
  std::string color = "auto";
  bool any_program = false;
};

// The configuration that the user names, else the first; nullopt and a
// complaint where there is none of that name.
std::optional<size_t> reference_of(const std::string& name,
                                   const std::vector<Configuration>& all) {
  if (name.empty()) return 0;
  const Configuration* const found = configuration_named(all, name);
  if (found != nullptr) return static_cast<size_t>(found - all.data());
  complain(fmt::format("--ref {}: no such run. Runs: {}.", printable(name),
                       names_of(all)));
  return std::nullopt;
}

int run_scale(const ScaleArguments& arguments) {
  auto models = models_named(arguments.models);
  if (!models) return kBadInput;
  auto configurations = read_configurations(arguments.paths);
  if (!configurations) return kBadInput;
  if (models->empty()) models = usual_models(*configurations);
  const auto regions = regions_matching(*configurations, arguments.regions);
  if (!regions) return kBadInput;
  const auto reference = reference_of(arguments.reference, *configurations);
  if (!reference) return kBadInput;
  const std::string why = incomparable(*configurations, arguments.any_program);
  if (!why.empty()) {
    complain(why);
    return kIncomparable;
  }
  const auto choice = scaling_choice(arguments.scaling, *configurations);
  if (!choice) return kIncomparable;
  const ScalingStudy study = {std::move(*configurations), *reference,
                              choice->scaling};
  ScalingOptions options = {*models, *regions, arguments.view == "spread",
                            color_wanted(arguments.color)};
  write_out(arguments.format == "text"
                ? scaling_text(study, choice->how, options)
            : arguments.format == "markdown"
                ? scaling_markdown(study, choice->how, options)
                : scaling_csv(study, options));
  return kGood;
}

}  // namespace

void add_scale(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ScaleArguments>();
  CLI::App* const command =
      app->add_subcommand("scale", "Show how several runs of a program scale");
  command
      ->add_option("FILE", arguments->paths,
                   "Run files, and folders with run files; runs with the same "
                   "ranks, threads, command and metadata are repetitions")
      ->required();
  add_scaling(command, &arguments->scaling,
              "The same work in all runs (strong) or on each core (weak); "
              "auto: decided from the data");
  command->add_option("--ref", arguments->reference,
                      "The run to compare with, as RANKSxTHREADS; default: "
                      "that with the fewest cores");
  add_models(command, &arguments->models);
  add_regions(command, &arguments->regions);
  command->add_option("-f,--format", arguments->format, "Form of the tables")
      ->check(CLI::IsMember({"text", "markdown", "csv"}))
      ->capture_default_str();
  command
      ->add_option("--view", arguments->view,
                   "Of repeated runs show the median, or the largest less the "
                   "least (spread)")
      ->check(CLI::IsMember({"median", "spread"}))
      ->capture_default_str();
  add_color(command, &arguments->color);
  add_any_program(command, &arguments->any_program);
  command->callback([=] { *run = [=] { return run_scale(*arguments); }; });
}

}  // namespace poprt
