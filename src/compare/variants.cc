#include "compare/variants.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compare/reference.h"
#include "document/format.h"
#include "model/judge.h"
#include "report/incomplete.h"
#include "report/light.h"

namespace poprt {
namespace {

constexpr char kCommand[] = "command";
constexpr char kMpi[] = "MPI";
constexpr char kOpenMp[] = "OpenMP";
constexpr char kTool[] = "measured by";
// Precedes a key of the program's metadata.
constexpr char kMetadata[] = "metadata ";

std::string value_in(const Variant& variant, const std::string& name) {
  const auto found = variant.find(name);
  return found == variant.end() ? "" : found->second;
}

// "wave -s 90", "version=2", "MPI: MPICH 4.0".
std::string shown(const std::string& name, const std::string& value) {
  const std::string what = shortened(printable(value), 200);
  if (name == kCommand) return what.empty() ? "no command known" : what;
  const size_t front = sizeof kMetadata - 1;
  if (name.compare(0, front, kMetadata) == 0) {
    const std::string key = printable(name.substr(front));
    return value.empty() ? "no " + key : key + "=" + what;
  }
  return value.empty() ? "no " + name : name + ": " + what;
}

// The names whose values differ among them.
std::set<std::string> differing(const std::vector<Variant>& variants) {
  std::set<std::string> names;
  for (const Variant& variant : variants) {
    for (const auto& [name, value] : variant) names.insert(name);
  }
  std::set<std::string> result;
  for (const std::string& name : names) {
    for (const Variant& variant : variants) {
      if (value_in(variant, name) != value_in(variants.front(), name)) {
        result.insert(name);
      }
    }
  }
  return result;
}

std::vector<Variant> variants_of(
    const std::vector<Configuration>& configurations) {
  std::vector<Variant> variants;
  for (const Configuration& each : configurations) {
    variants.push_back(variant_of(each.runs.front().report));
  }
  return variants;
}

}  // namespace

Variant variant_of(const JobReport& run) {
  Variant variant;
  std::string command;
  for (const std::string& word : run.context.command) {
    command += (command.empty() ? "" : " ") + word;
  }
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) variant[name] = value;
  };
  add(kCommand, command);
  add(kMpi, run.context.mpi_library);
  add(kOpenMp, run.context.openmp_runtime);
  add(kTool, run.context.imported_from);
  for (const Metadata& entry : run.totals.metadata) {
    add(kMetadata + entry.key, entry.value);
  }
  return variant;
}

std::string letter_of(size_t index) {
  std::string letter;
  for (size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26) {
    letter.insert(letter.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return letter;
}

std::vector<std::string> letter_notes(
    const std::vector<Configuration>& configurations) {
  const std::vector<Variant> variants = variants_of(configurations);
  const std::set<std::string> names = differing(variants);
  std::map<std::string, std::string> notes;  // by letter
  for (size_t i = 0; i < configurations.size(); ++i) {
    const std::string& letter = configurations[i].letter;
    if (letter.empty() || notes.count(letter) != 0) continue;
    std::string& text = notes[letter];
    for (const std::string& name : names) {
      text +=
          (text.empty() ? "" : ", ") + shown(name, value_in(variants[i], name));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [letter, text] : notes)
    lines.push_back(letter + ": " + text);
  return lines;
}

std::vector<std::string> light_notes(
    const std::vector<Configuration>& configurations) {
  std::vector<std::string> lines;
  std::vector<std::string> amber;
  for (const Configuration& configuration : configurations) {
    for (const RunFile& killed : configuration.left_out) {
      lines.push_back(printable(killed.path) + ": left out of " +
                      configuration.name +
                      ", because it did not come to its end and others did.");
    }
    for (const RunFile& run : configuration.runs) {
      const RunContext& context = run.report.context;
      if (is_incomplete(context)) {
        lines.push_back(printable(run.path) + ": " + incomplete_note(context));
      }
      const Light light = judge(run.report).light;
      if (light == Light::kRed) {
        lines.push_back(printable(run.path) + ": red light. " +
                        red_sentence(run.report));
      } else if (light == Light::kAmber &&
                 std::ranges::find(amber, configuration.name) == amber.end()) {
        amber.push_back(configuration.name);
      }
    }
  }
  if (!amber.empty()) {
    lines.push_back("amber light, to be judged with care: " +
                    some_of(amber, 4) + " (poprt report says why).");
  }
  return lines;
}

std::vector<std::string> variant_notes(
    const std::vector<Configuration>& configurations, size_t reference) {
  std::vector<std::string> lines = reference_notes(configurations);
  for (std::string& note : light_notes(configurations)) {
    lines.push_back(std::move(note));
  }
  const std::vector<std::string> letters = letter_notes(configurations);
  lines.insert(lines.end(), letters.begin(), letters.end());
  if (!letters.empty()) return lines;
  const std::vector<Variant> variants = variants_of(configurations);
  for (const std::string& name : differing(variants)) {
    for (size_t i = 0; i < variants.size(); ++i) {
      const std::string value = value_in(variants[i], name);
      const std::string usual = value_in(variants[reference], name);
      if (value == usual) continue;
      // For serial runs and runs of other tools the value is not known.
      const bool known = !value.empty() && !usual.empty();
      if (!known && name.compare(0, sizeof kMetadata - 1, kMetadata) != 0) {
        continue;
      }
      lines.push_back(configurations[i].name +
                      (name == kCommand ? " was started as: " : " has ") +
                      shown(name, value));
      break;
    }
  }
  return lines;
}

}  // namespace poprt
