#include "command/study.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "command/arguments.h"
#include "command/common_options.h"
#include "command/run_sets.h"
#include "compare/reference.h"
#include "document/format.h"

namespace poprt {
namespace {

// The configuration named by the user, else the first that may be the
// reference, if any may; nullopt, with a complaint, if the named one is none.
std::optional<size_t> reference_of(const std::string& name,
                                   const std::vector<Configuration>& all) {
  if (name.empty()) return first_reference(all).value_or(0);
  const Configuration* const found = configuration_named(all, name);
  if (found != nullptr) {
    const std::string why = why_no_reference(*found);
    if (why.empty()) return static_cast<size_t>(found - all.data());
    complain(fmt::format("--ref {}: no run is compared with it: {}.",
                         printable(name), why));
    return std::nullopt;
  }
  complain(fmt::format("--ref {}: no such run. Runs: {}.", printable(name),
                       names_of(all)));
  return std::nullopt;
}

// What --load says; a complaint and false where that is nothing.
bool read_load(const StudyArguments& arguments, std::optional<Load>* load) {
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

}  // namespace

ExitCode read_study(const StudyArguments& arguments, Study* study) {
  std::optional<Load> load;
  if (!read_load(arguments, &load)) return kBadInput;
  auto models = models_named(arguments.models);
  if (!models) return kBadInput;
  auto configurations = read_configurations(arguments.paths);
  if (!configurations) return kBadInput;
  if (models->empty()) models = usual_models(*configurations);
  std::erase_if(*models, [](Model model) { return !is_scaled(model); });
  if (models->empty()) {
    complain(
        "--model computation and mpi_time have no Parallel Efficiency: what "
        "the cores computed is in the scaling table of every other model; "
        "choose one of these.");
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
  *study = {{std::move(*configurations), *reference, choice->scaling,
             choice->load, arguments.reference_ghz},
            choice->how,
            *models,
            *regions};
  return kGood;
}

void add_study(CLI::App* command, StudyArguments* arguments) {
  command
      ->add_option("FILE", arguments->paths,
                   "Run files, and folders with run files; runs with the same "
                   "ranks, threads, command and metadata are repetitions")
      ->required();
  add_scaling(command, &arguments->scaling,
              "The same work in all runs (strong) or on each core (weak); "
              "auto: as metadata, command lines and instructions tell");
  command
      ->add_option("--load", arguments->load,
                   "What the work of weak scaling grows with: cores, ranks, or "
                   "metadata:KEY, a number that the program gave by "
                   "pop_metadata; default: as the runs tell, else cores")
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
}

}  // namespace poprt
