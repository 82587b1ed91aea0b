#include "launch/launcher/launcher.h"

#include <algorithm>
#include <string_view>

namespace poprt {
namespace {

// How many words follow a word of short options like -n, -n8 or -vvn.
int values_of_letters(std::string_view letters,
                      const LauncherOptions& options) {
  if (has_word(options.letters_together, letters)) return 1;
  for (size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    if (options.letters_optional.find(letter) != std::string_view::npos)
      return 0;
    if (options.letters_alone.find(letter) != std::string_view::npos) continue;
    if (options.letters_with_value.find(letter) == std::string_view::npos)
      return -1;
    return i + 1 < letters.size() ? 0 : 1;
  }
  return 0;
}

int values_of_name(std::string_view name, const LauncherOptions& options) {
  if (has_word(options.none, name)) return 0;
  if (has_word(options.one, name)) return 1;
  return has_word(options.two, name) ? 2 : -1;
}

// How many words follow the option `line[at]`; -1 if not known.
int words_of_option(const std::vector<std::string>& line, size_t at,
                    const LauncherOptions& options) {
  const std::string& word = line[at];
  const bool is_long = word.size() > 1 && word[1] == '-';
  const std::string name = word.substr(is_long ? 2 : 1);
  if (!options.letters_with_value.empty() && !is_long) {
    return values_of_letters(name, options);
  }
  if (const size_t equals = name.find('='); equals != std::string::npos) {
    return values_of_name(name.substr(0, equals), options) < 0 ? -1 : 0;
  }
  const int values = values_of_name(name, options);
  // Hydra also accepts -env NAME=VALUE for -env NAME VALUE.
  const bool joined = has_word(" env genv ", name) && values == 2 &&
                      at + 1 < line.size() &&
                      line[at + 1].find('=') != std::string::npos;
  return joined ? 1 : values;
}

std::string option_name(const std::string& word) {
  const size_t begin = std::min(word.find_first_not_of('-'), word.size());
  return word.substr(begin, word.find('=') - begin);
}

// Where the subcommand of a line may be.
size_t subcommand_at(const std::vector<std::string>& line,
                     std::string_view before) {
  return !before.empty() && line.size() > 1 && line[1] == before ? 2 : 1;
}

}  // namespace

const Launcher* launcher_of(const std::vector<std::string>& line,
                            const Program& program) {
  const std::string named = base_name(program.path);
  const std::string real = base_name(program.binary);
  const auto is_any = [&](auto is) -> const Launcher* {
    for (const Launcher& each : kLaunchers) {
      const size_t at = subcommand_at(line, each.before_subcommand);
      const bool starts = each.subcommand.empty() ||
                          (line.size() > at && line[at] == each.subcommand);
      if (starts && is(each)) return each.has_options() ? &each : nullptr;
    }
    return nullptr;
  };
  const auto is_named = [](const std::string& name) {
    return [&](const Launcher& each) { return has_word(each.commands, name); };
  };
  if (const Launcher* const own = is_any(is_named(named))) return own;
  if (program.launcher_needed != nullptr &&
      has_word(program.launcher_needed->shared_commands, named)) {
    return program.launcher_needed;
  }
  if (const Launcher* const linked = is_any(is_named(real))) return linked;
  return is_any([&](const Launcher& each) {
    return each.libraries.empty() && has_word(each.shared_commands, named);
  });
}

std::string known_launchers() {
  std::vector<std::string> names;
  for (const Launcher& each : kLaunchers) {
    if (!each.has_options()) continue;
    const bool has_shared = !each.shared_commands.empty();
    for_each_word(has_shared ? each.shared_commands : each.commands,
                  [&](std::string_view command) {
                    std::string name(command);
                    if (!each.subcommand.empty()) {
                      name += ' ' + std::string(each.subcommand);
                    }
                    if (std::ranges::count(names, name) == 0)
                      names.push_back(name);
                  });
  }
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

bool submits_jobs(const std::vector<std::string>& line) {
  const std::string command = base_name(line[0]);
  return std::ranges::any_of(kSubmitters, [&](const Submitter& each) {
    const size_t at = subcommand_at(line, each.before_subcommand);
    return has_word(each.commands, command) &&
           (each.subcommands.empty() ||
            (line.size() > at && has_word(each.subcommands, line[at])));
  });
}

LauncherLine programs_in(const std::vector<std::string>& line,
                         const Launcher& launcher) {
  const size_t first =
      launcher.subcommand.empty()
          ? 1
          : subcommand_at(line, launcher.before_subcommand) + 1;
  std::string instead = " Put poprt behind it instead: " + base_name(line[0]);
  for (size_t i = 1; i < first; ++i) instead += " " + line[i];
  if (!launcher.added.empty()) instead += " " + std::string(launcher.added);
  instead += " ... poprt run -- PROGRAM.";
  LauncherLine result;
  bool may_have_hosts = !launcher.options.hosts.empty();
  size_t at = first;
  while (at < line.size()) {
    const std::string& word = line[at];
    if (word.size() > 1 && word[0] == '-' && word != "--") {
      const std::string name = option_name(word);
      if (has_word(launcher.options.information, name)) return {};
      if (has_word(launcher.options.lists, name)) {
        return {{}, "the programs are in a file (" + word + ")." + instead};
      }
      const int words = words_of_option(line, at, launcher.options);
      if (words < 0) {
        return {{},
                "an option that poprt does not know (" + word +
                    "): where the program begins is not clear." + instead};
      }
      may_have_hosts &= !has_word(launcher.options.hosts, name);
      at += 1 + static_cast<size_t>(words);
      continue;
    }
    if (may_have_hosts) {
      return {{},
              "without -hostfile: where the hosts end and the program begins "
              "is not clear." +
                  instead};
    }
    if (launcher.options.has_assignments && word.find('=') != word.npos) {
      ++at;
      continue;
    }
    if (word == "--" && ++at == line.size()) break;
    result.programs.push_back(at);
    // Further programs, each with options of its own.
    const auto colon = std::find(line.begin() + static_cast<std::ptrdiff_t>(at),
                                 line.end(), ":");
    at = static_cast<size_t>(colon - line.begin()) + 1;
  }
  return result;
}

std::vector<std::string> with_inserted(
    const std::vector<std::string>& line, const Launcher& launcher,
    const std::vector<size_t>& programs,
    const std::vector<std::string>& inserted) {
  std::vector<std::string> result;
  for (size_t i = 0; i < line.size(); ++i) {
    if (std::find(programs.begin(), programs.end(), i) != programs.end()) {
      result.insert(result.end(), inserted.begin(), inserted.end());
    }
    result.push_back(line[i]);
    if (i == 0 && !programs.empty() && !launcher.added.empty()) {
      result.emplace_back(launcher.added);
    }
  }
  return result;
}

}  // namespace poprt
