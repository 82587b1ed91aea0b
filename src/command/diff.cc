// poprt diff: compares two sets of runs and shows what changed beyond noise.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/formats.h"
#include "command/run_sets.h"
#include "compare/difference_document.h"

namespace poprt {
namespace {

struct DiffArguments {
  std::string a;
  std::string b;
  std::vector<std::string> models;
  std::vector<std::string> regions;
  Output output;
  std::string scaling = "auto";
  bool any_program = false;
};

// A side is one path, or several separated by commas.
std::vector<std::string> paths_of(const std::string& side) {
  std::error_code error;
  if (std::filesystem::exists(side, error)) return {side};
  return CLI::detail::split(side, ',');
}

int run_diff(const DiffArguments& arguments) {
  const Format* const format = format_of(arguments.output, Shows::kDifference);
  if (format == nullptr) return kBadInput;
  const auto thresholds = thresholds_of(arguments.output.thresholds);
  if (!thresholds) return kBadInput;
  auto models = models_named(arguments.models);
  if (!models) return kBadInput;
  const auto a = read_configurations(paths_of(arguments.a));
  if (!a) return kBadInput;
  const auto b = read_configurations(paths_of(arguments.b));
  if (!b) return kBadInput;
  std::vector<Configuration> all = *a;
  all.insert(all.end(), b->begin(), b->end());
  if (models->empty()) models = usual_models(all);
  const auto regions = regions_matching(all, arguments.regions);
  if (!regions) return kBadInput;
  const std::string why = incomparable(all, arguments.any_program);
  if (!why.empty()) {
    complain(why);
    return kIncomparable;
  }
  const Comparison comparison = comparison_of(*a, *b);
  if (comparison.pairs.empty()) {
    const bool alike = std::any_of(
        a->begin(), a->end(),
        [&](const Configuration& each) { return have_shape_of(each, *b); });
    complain(fmt::format(
        "no {} that both have: A has {}; B has {}. Name one run of each to "
        "compare these.",
        alike ? "command and metadata" : "ranks x threads", names_of(*a),
        names_of(*b)));
    return kIncomparable;
  }
  const DifferenceOptions options = {
      arguments.a, arguments.b, *models,
      *regions,    *thresholds, scaling_said(arguments.scaling)};
  const std::string text =
      format->render == nullptr
          ? difference_csv(comparison, options)
          : format->render(difference_document(comparison, options),
                           style_of(arguments.output));
  return save(arguments.output.path, text) ? kGood : kBadInput;
}

}  // namespace

void add_diff(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* const command =
      app->add_subcommand("diff", "Show what differs between two sets of runs");
  command
      ->add_option("A", arguments->a,
                   "Run file, folder with run files, or several with commas: "
                   "repeated runs tell what is noise")
      ->required();
  command->add_option("B", arguments->b, "The same of the other set")
      ->required();
  add_models(command, &arguments->models);
  add_regions(command, &arguments->regions);
  add_scaling(command, &arguments->scaling,
              "Whether both had the same work (strong), or each core (weak); "
              "auto: as metadata, command lines and instructions tell");
  add_output(command, &arguments->output, "tables", Shows::kDifference);
  add_any_program(command, &arguments->any_program);
  command->callback([=] { *run = [=] { return run_diff(*arguments); }; });
}

}  // namespace poprt
