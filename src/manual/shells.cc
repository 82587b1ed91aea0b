// Makes the completion scripts for bash, zsh and fish.
#include <fmt/format.h>

#include "manual/description.h"

namespace poprt {
namespace {

std::string joined(const std::vector<std::string>& words,
                   const std::string& between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

// Quotes a text as one word for a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::vector<std::string> option_names(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const ArgumentDescription& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> command_names(const CommandDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) {
    names.push_back(command.name);
  }
  return names;
}

// The choices of the command's first positional argument.
std::vector<std::string> first_choices(const CommandDescription& command) {
  if (command.positionals.empty()) return {};
  return command.positionals.front().choices;
}

// The part of the bash function for one command.
std::string bash_case(const CommandDescription& command) {
  std::string text = "    " + command.name + ")\n      case $before in\n";
  for (const ArgumentDescription& option : command.options) {
    if (option.value.empty()) continue;
    const std::string reply =
        option.choices.empty()
            ? "COMPREPLY=()"
            : fmt::format("_poprt_reply {} {}",
                          quoted(joined(option.choices, " ")),
                          option.takes_list ? "list" : "word");
    text += fmt::format("        {}) {}; return ;;\n",
                        joined(option.names, "|"), reply);
  }
  text += "      esac\n";
  if (command.runs_program) {
    text +=
        "      [[ $word == -* ]] || { COMPREPLY=($(compgen -c -- \"$word\")); "
        "return; }\n";
  }
  std::vector<std::string> words = option_names(command);
  for (const std::string& choice : first_choices(command)) {
    words.push_back(choice);
  }
  return text + fmt::format("      _poprt_reply {} word ;;\n",
                            quoted(joined(words, " ")));
}

// Escapes colons and brackets, which have a meaning in zsh's descriptions.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// How zsh completes the value of an argument.
std::string zsh_action(const ArgumentDescription& argument) {
  const std::string words = joined(argument.choices, " ");
  if (argument.choices.empty()) return "_files";
  return argument.takes_list ? "_values -s , value " + words
                             : "(" + words + ")";
}

std::string zsh_arguments(const CommandDescription& command) {
  std::string text = "_arguments -s";
  for (const ArgumentDescription& option : command.options) {
    const std::string value =
        option.value.empty() ? "" : ":value:" + zsh_action(option);
    for (const std::string& name : option.names) {
      const bool is_long = name.rfind("--", 0) == 0;
      text += " \\\n        " +
              quoted("(" + joined(option.names, " ") + ")" + name +
                     (is_long && !value.empty() ? "=" : "") + "[" +
                     zsh_text(option.help) + "]" + value);
    }
  }
  for (const ArgumentDescription& argument : command.positionals) {
    text += " \\\n        " +
            quoted(std::string(argument.is_repeated ? "*" : "") + ":" +
                   zsh_text(argument.names.at(0)) + ":" + zsh_action(argument));
  }
  if (command.runs_program) text += " \\\n        '*::command:_normal'";
  return text;
}

std::string fish_option(const std::string& condition,
                        const ArgumentDescription& option) {
  std::string text = "complete -c poprt -n " + quoted(condition);
  for (const std::string& name : option.names) {
    text += name.rfind("--", 0) == 0 ? " -l " + name.substr(2)
                                     : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) {
    text += " -x -a " + quoted(joined(option.choices, " "));
  } else if (!option.value.empty()) {
    text += " -r";
  }
  return text + " -d " + quoted(option.help) + "\n";
}

}  // namespace

std::string to_bash(const CommandDescription& program) {
  std::string text =
      "# bash completion of poprt; made by: poprt completion bash\n"
      "_poprt_reply() {  # words, and whether they come as a list with commas\n"
      "  local head=\n"
      "  [[ $2 == list && $word == *,* ]] && head=${word%,*},\n"
      "  COMPREPLY=($(compgen -P \"$head\" -W \"$1\" -- "
      "\"${word#\"$head\"}\"))\n"
      "}\n"
      "_poprt() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} "
      "before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  # bash takes --option=value for three words.\n"
      "  if [[ $word == = ]]; then\n"
      "    word=\n"
      "  elif [[ $before == = ]]; then\n"
      "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n";
  std::vector<std::string> words = option_names(program);
  for (const std::string& name : command_names(program)) words.push_back(name);
  text += fmt::format("    _poprt_reply {} word\n    return\n  fi\n",
                      quoted(joined(words, " ")));
  text += "  case ${COMP_WORDS[1]} in\n";
  for (const CommandDescription& command : program.commands) {
    text += bash_case(command);
  }
  return text + "  esac\n}\ncomplete -o default -F _poprt poprt\n";
}

std::string to_zsh(const CommandDescription& program) {
  std::string text =
      "#compdef poprt\n"
      "# zsh completion of poprt; made by: poprt completion zsh\n"
      "_poprt() {\n"
      "  local -a commands=(\n";
  for (const CommandDescription& command : program.commands) {
    text += "    " + quoted(command.name + ":" + zsh_text(command.help)) + "\n";
  }
  text +=
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    " +
      zsh_arguments({"", "", "", false, program.options, {}, {}}) +
      "\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n";
  for (const CommandDescription& command : program.commands) {
    text +=
        "    " + command.name + ")\n      " + zsh_arguments(command) + " ;;\n";
  }
  return text +
         "  esac\n"
         "}\n"
         "# Read in by hand, it is only to be known.\n"
         "if [[ $funcstack[1] == _poprt ]]; then\n"
         "  _poprt \"$@\"\n"
         "else\n"
         "  compdef _poprt poprt\n"
         "fi\n";
}

std::string to_fish(const CommandDescription& program) {
  const std::string none =
      "not __fish_seen_subcommand_from " + joined(command_names(program), " ");
  std::string text =
      "# fish completion of poprt; made by: poprt completion fish\n";
  for (const ArgumentDescription& option : program.options) {
    text += fish_option(none, option);
  }
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("complete -c poprt -f -n {} -a {} -d {}\n",
                        quoted(none), command.name, quoted(command.help));
    const std::string seen = "__fish_seen_subcommand_from " + command.name;
    for (const ArgumentDescription& option : command.options) {
      text += fish_option(seen, option);
    }
    const std::vector<std::string> choices = first_choices(command);
    if (!choices.empty()) {
      text += fmt::format("complete -c poprt -f -n {} -a {}\n", quoted(seen),
                          quoted(joined(choices, " ")));
    }
    if (command.runs_program) {
      text += fmt::format(
          "complete -c poprt -n {} -a '(__fish_complete_subcommand)'\n",
          quoted(seen));
    }
  }
  return text;
}

}  // namespace poprt
