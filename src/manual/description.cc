#include "manual/description.h"

#include <algorithm>
#include <sstream>

#include "model/metric_table.h"

namespace poprt {
namespace {

// The words of "{a,b}" in a type's name.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> choices;
  const size_t begin = type.find('{');
  const size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::istringstream words(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(words, word, ',');) {
    choices.push_back(word);
  }
  return choices;
}

// The words that can be suggested for an argument that takes other words too.
std::vector<std::string> known_words(const std::vector<std::string>& names) {
  std::vector<std::string> words;
  if (names.back() == "--model") {
    for (const Model model : kModels) words.push_back(key_of(model));
    words.push_back("all");
  }
  if (names.back() == "--load") words = {"cores", "ranks"};
  if (names.back() == "METRIC") {
    for (const Metric& metric : all_metrics()) words.push_back(metric.key);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }
  return words;
}

ArgumentDescription describe(const CLI::Option& option) {
  ArgumentDescription result;
  for (const std::string& name : option.get_snames()) {
    result.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    result.names.push_back("--" + name);
  }
  if (option.get_positional()) result.names = {option.get_name(true)};
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0) {
    const std::string plain = type.substr(0, type.find(':'));
    result.value = plain.empty() ? "VALUE" : plain;
  }
  result.choices = choices_in(type);
  result.takes_list = option.get_delimiter() == ',' ||
                      (!type.empty() && type.find("},") != std::string::npos);
  result.is_required = option.get_required();
  result.is_repeated =
      option.get_positional() && option.get_items_expected_max() > 1;
  result.fallback = option.get_default_str();
  result.help = option.get_description();
  if (result.choices.empty()) result.choices = known_words(result.names);
  return result;
}

}  // namespace

CommandDescription describe(const CLI::App& app) {
  CommandDescription result;
  result.name = app.get_name();
  result.help = app.get_description();
  result.footer = app.get_footer();
  result.runs_program = app.get_prefix_command();
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden option
    auto& list = option->get_positional() ? result.positionals : result.options;
    list.push_back(describe(*option));
  }
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* const command : app.get_subcommands(all)) {
    if (!command->get_group().empty()) {
      result.commands.push_back(describe(*command));
    }
  }
  for (CommandDescription& command : result.commands) {
    if (command.name != "help") continue;
    for (const CommandDescription& other : result.commands) {
      command.positionals.at(0).choices.push_back(other.name);
    }
  }
  return result;
}

}  // namespace poprt
