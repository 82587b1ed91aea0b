// Makes the man pages of the program, its commands and its environment.
#include <fmt/format.h>

#include "base/options.h"
#include "manual/description.h"
#include "manual/examples.h"

namespace poprt {
namespace {

// Escapes text for roff: '-' stays the character one types, and no line becomes
// a request.
std::string roff(const std::string& text) {
  std::string result;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\n') {
      result += "\n.br\n";
    } else {
      result += c;
    }
    begins_line = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

std::string heading(const std::string& name, int section,
                    const std::string& what) {
  std::string upper;
  for (const char c : name) {
    upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return fmt::format(
      ".TH {} {} \"\" \"poprt {}\" \"poprt\"\n.SH NAME\n{} \\- {}\n",
      roff(upper), section, POPRT_VERSION, roff(name), roff(what));
}

std::string argument(const ArgumentDescription& each) {
  std::string names;
  for (const std::string& name : each.names) {
    const bool is_option = name.rfind("-", 0) == 0;
    names +=
        (names.empty() ? "" : ", ") + (is_option ? bold(name) : italic(name));
  }
  if (!each.value.empty() && each.names.at(0).rfind("-", 0) == 0) {
    names += " " + italic(each.choices.empty() ? each.value : "WORD");
    if (each.takes_list) names += "[,...]";
  }
  std::string text = ".TP\n" + names + "\n" + roff(each.help) + "\n";
  if (!each.choices.empty()) {
    std::string words;
    for (const std::string& choice : each.choices) {
      words += (words.empty() ? "" : ", ") + bold(choice);
    }
    text += ".br\nOne of: " + words + ".\n";
  }
  if (!each.fallback.empty()) {
    text += ".br\nDefault: " + bold(each.fallback) + ".\n";
  }
  return text;
}

std::string synopsis(const std::string& words,
                     const CommandDescription& command) {
  std::string text =
      ".SH SYNOPSIS\n" + bold(words) + " [" + italic("OPTIONS") + "]";
  if (!command.commands.empty()) text += " " + italic("COMMAND") + " ...";
  if (command.runs_program) {
    text += " [" + bold("--") + "] " + italic("COMMAND") + " ...";
  }
  for (const ArgumentDescription& each : command.positionals) {
    std::string word = italic(each.names.at(0));
    if (each.is_repeated) word += " ...";
    text += each.is_required ? " " + word : " [" + word + "]";
  }
  return text + "\n";
}

std::string arguments(const CommandDescription& command) {
  std::string text;
  if (!command.positionals.empty()) text += ".SH ARGUMENTS\n";
  for (const ArgumentDescription& each : command.positionals) {
    text += argument(each);
  }
  text += ".SH OPTIONS\n";
  for (const ArgumentDescription& each : command.options) {
    text += argument(each);
  }
  return text;
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text;
  for (const std::string& page : pages) {
    const size_t dot = page.rfind('.');
    text += (text.empty() ? "" : ", ") + bold(page.substr(0, dot)) + "(" +
            page.substr(dot + 1) + ")";
  }
  return ".SH SEE ALSO\n" + text + "\n";
}

std::string examples(const std::string& command) {
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : examples_of(command)) {
    text += ".TP\n" + bold(example.line) + "\n" + roff(example.what) + "\n";
  }
  return text;
}

ManPage command_page(const CommandDescription& command) {
  const std::string name = "poprt-" + command.name;
  return {name + ".1",
          heading(name, 1, command.help) +
              synopsis("poprt " + command.name, command) + arguments(command) +
              (command.footer.empty()
                   ? ""
                   : ".SH NOTES\n" + roff(command.footer) + "\n") +
              examples(command.name) + see_also({"poprt.1", "poprt-env.7"})};
}

ManPage program_page(const CommandDescription& program) {
  std::string text = heading("poprt", 1, program.help) +
                     synopsis("poprt", program) + ".SH COMMANDS\n";
  std::vector<std::string> others;
  for (const CommandDescription& command : program.commands) {
    text += ".TP\n" + bold(command.name) + "\n" + roff(command.help) + "\n";
    others.push_back("poprt-" + command.name + ".1");
  }
  others.push_back("poprt-env.7");
  return {"poprt.1", text + arguments(program) + ".SH EXIT STATUS\n" +
                         roff(program.footer) + "\n" + examples("") +
                         see_also(others)};
}

ManPage environment_page() {
  std::string text =
      heading("poprt-env", 7, "environment variables of poprt") +
      ".SH DESCRIPTION\nThe library that is preloaded into a program reads "
      "these variables. " +
      bold("poprt run") + " has an option for each.\n.SH ENVIRONMENT\n";
  for (const OptionText& option : option_texts()) {
    text += ".TP\n" + bold(option.name) + "\n" + roff(option.help) + "\n";
    if (!option.words.empty()) {
      text += ".br\nWords: " + bold(option.words) + ".\n";
    }
    if (!option.fallback.empty()) {
      text += ".br\nDefault: " + bold(option.fallback) + ".\n";
    }
  }
  return {"poprt-env.7",
          text + examples("env") + see_also({"poprt.1", "poprt-run.1"})};
}

}  // namespace

std::vector<ManPage> man_pages(const CommandDescription& program) {
  std::vector<ManPage> pages = {program_page(program)};
  for (const CommandDescription& command : program.commands) {
    pages.push_back(command_page(command));
  }
  pages.push_back(environment_page());
  return pages;
}

}  // namespace poprt
