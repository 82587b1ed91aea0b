// poprt scale: makes the POP scaling table of several runs.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/formats.h"
#include "command/run_sets.h"
#include "compare/scaling_document.h"
#include "report/format.h"

namespace poprt {
namespace {

struct ScaleArguments {
  std::vector<std::string> paths;
  std::string scaling = "auto";
  std::string load;
  std::string reference;
  double reference_ghz = 0;
  std::vector<std::string> models;
  std::vector<std::string> regions;
  std::string view = "median";
  Output output;
  bool any_program = false;
};

// The configuration named by the user, else the first; nullopt, with a
// complaint, if there is none of that name.
std::optional<size_t> reference_of(const std::string& name,
                                   const std::vector<Configuration>& all) {
  if (name.empty()) return 0;
  const Configuration* const found = configuration_named(all, name);
  if (found != nullptr) return static_cast<size_t>(found - all.data());
  complain(fmt::format("--ref {}: no such run. Runs: {}.", printable(name),
                       names_of(all)));
  return std::nullopt;
}

// What --load says; a complaint and false where that is nothing.
bool read_load(const ScaleArguments& arguments, std::optional<Load>* load) {
  constexpr std::string_view kMetadata = "metadata:";
  const std::string& word = arguments.load;
  if (word.empty()) return true;
  if (arguments.scaling == "strong") {
    complain("--load is of weak scaling: in strong scaling no load grows.");
    return false;
  }
  if (word == "cores") *load = Load{Load::By::kCores, ""};
  if (word == "ranks") *load = Load{Load::By::kRanks, ""};
  if (word.starts_with(kMetadata) && word.size() > kMetadata.size()) {
    *load = Load{Load::By::kMetadata, word.substr(kMetadata.size())};
  }
  if (!*load) {
    complain("--load " + printable(word) +
             ": is not cores, ranks or metadata:KEY.");
  }
  return load->has_value();
}

int run_scale(const ScaleArguments& arguments) {
  const Format* const format = format_of(arguments.output, false);
  if (format == nullptr) return kBadInput;
  const auto thresholds = thresholds_of(arguments.output);
  if (!thresholds) return kBadInput;
  std::optional<Load> load;
  if (!read_load(arguments, &load)) return kBadInput;
  auto models = models_named(arguments.models);
  if (!models) return kBadInput;
  auto configurations = read_configurations(arguments.paths);
  if (!configurations) return kBadInput;
  if (models->empty()) models = usual_models(*configurations);
  // Its rows are in the table of every other model.
  std::erase(*models, Model::kComputation);
  if (models->empty()) {
    complain(
        "--model computation: what the cores computed is in the scaling table "
        "of every other model; choose one of these.");
    return kBadInput;
  }
  const auto regions = regions_matching(*configurations, arguments.regions);
  if (!regions) return kBadInput;
  const auto reference = reference_of(arguments.reference, *configurations);
  if (!reference) return kBadInput;
  const std::string why = incomparable(*configurations, arguments.any_program);
  if (!why.empty()) {
    complain(why);
    return kIncomparable;
  }
  const auto choice = scaling_choice(arguments.scaling, load, *configurations);
  if (!choice) return kIncomparable;
  const ScalingStudy study = {std::move(*configurations), *reference,
                              choice->scaling, choice->load,
                              arguments.reference_ghz};
  const ScalingOptions options = {*models, *regions, arguments.view == "spread",
                                  unit_of(arguments.output), *thresholds};
  const std::string text =
      format->render == nullptr
          ? scaling_csv(study, options)
          : format->render(scaling_document(study, choice->how, options),
                           style_of(arguments.output));
  return save(arguments.output.path, text) ? kGood : kBadInput;
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
  command
      ->add_option("--load", arguments->load,
                   "What the work of weak scaling grows with: cores, ranks, or "
                   "metadata:KEY, a number that the program gave by "
                   "pop_metadata; default: cores or ranks, decided from the "
                   "data")
      ->type_name("cores|ranks|metadata:KEY");
  command->add_option("--ref", arguments->reference,
                      "The run to compare with, as RANKSxTHREADS; default: "
                      "that with the fewest cores");
  command
      ->add_option("--reference-frequency", arguments->reference_ghz,
                   "What Frequency Scaling compares with, in GHz, for example "
                   "the processor's base frequency; default: the frequency of "
                   "the run to compare with")
      ->type_name("GHZ")
      ->check(CLI::Range(0.001, 1000.0));
  add_models(command, &arguments->models);
  add_regions(command, &arguments->regions);
  add_output(command, &arguments->output, "tables", /*shows_one_run=*/false);
  command
      ->add_option("--view", arguments->view,
                   "Of repeated runs show the median, or the largest less the "
                   "least (spread)")
      ->check(CLI::IsMember({"median", "spread"}))
      ->capture_default_str();
  add_any_program(command, &arguments->any_program);
  command->callback([=] { *run = [=] { return run_scale(*arguments); }; });
}

}  // namespace poprt
