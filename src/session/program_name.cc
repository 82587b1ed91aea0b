#include "session/program_name.h"

#include <cstddef>
#include <string_view>

namespace poprt {
namespace {

using Words = std::vector<std::string>;

// How to read the command line of an interpreter: letters of short options, and
// long options between blanks.
struct Interpreter {
  std::string_view name;      // of the executable; a version may follow
  std::string_view code;      // the code is in the command line itself
  std::string_view attached;  // the rest of the word is the value
  // the rest of the word or the next word is the value
  std::string_view valued;
  std::string_view module;  // likewise, and the value is a module to run
  std::string_view script;  // likewise, and the value is the script
  std::string_view long_code;
  std::string_view long_valued;  // the next word is the value
  bool is_positional;            // the first other word is the script
};

constexpr Interpreter kInterpreters[] = {
    {"python", "c", "", "WX", "m", "", "", " --check-hash-based-pycs ", true},
    {"pypy", "c", "", "WX", "m", "", "", " --jit ", true},
    {"R", "e", "", "dg", "", "f", "", " --gui --debugger --encoding ", false},
    {"julia", "eE", "OgC", "pLtJH", "m", "", " --eval --print ",
     " --threads --procs --machine-file --sysimage --home --load --cpu-target ",
     true},
    {"perl", "eE", "MmCDFil0xV", "I", "", "", "", "", true},
    {"ruby", "e", "x0FiKTW", "ICrE", "", "", "", "", true},
    {"octave", "", "", "p", "", "", " --eval ",
     " --path --image-path --exec-path --info-file --info-program ", true},
    {"lua", "", "", "el", "", "", "", "", true},
    {"node", "ep", "", "r", "", "", " --eval --print ", " --require ", true},
    // The dynamic linker started as a command.
    {"ld-linux", "", "", "", "", "", "",
     " --library-path --preload --audit --argv0 --inhibit-rpath ", true},
};

// Modules that run a script whose name follows.
constexpr std::string_view kRunners =
    " mpi4py mpi4py.run mpi4py.futures cProfile profile trace pdb ";

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

bool has(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

bool lists(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

const Interpreter* interpreter_of(const std::string& executable) {
  const std::string name = base_name(executable);
  for (const Interpreter& each : kInterpreters) {
    if (!std::string_view(name).starts_with(each.name)) continue;
    const char next = name.c_str()[each.name.size()];
    if (next == '\0' || next == '.' || next == '-' ||
        (next >= '0' && next <= '9')) {
      return &each;
    }
  }
  return nullptr;
}

// What to do after a word of short options.
enum class OptionStep { kOn, kSkipNext, kIsNext, kIsRest, kModule, kEnd };

// `rest` is what follows the letter that decides.
OptionStep step_of(const Interpreter& interpreter, std::string_view letters,
                   std::string_view* rest) {
  for (size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    *rest = letters.substr(i + 1);
    if (has(interpreter.code, letter)) return OptionStep::kEnd;
    if (has(interpreter.attached, letter)) return OptionStep::kOn;
    if (has(interpreter.module, letter)) return OptionStep::kModule;
    if (has(interpreter.script, letter)) {
      return rest->empty() ? OptionStep::kIsNext : OptionStep::kIsRest;
    }
    if (has(interpreter.valued, letter)) {
      return rest->empty() ? OptionStep::kSkipNext : OptionStep::kOn;
    }
  }
  return OptionStep::kOn;
}

// The script or module in the words after the interpreter; "" for none.
std::string script_in(const Interpreter& interpreter, const Words& words) {
  const auto word = [&](size_t i) {
    return i < words.size() ? words[i] : std::string();
  };
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i];
    if (text.empty() || text == "-") return "";
    if (text[0] != '-') {
      if (interpreter.is_positional) return words[i];
      continue;
    }
    // R's option: the script's own arguments follow
    if (text == "--args") return "";
    if (text == "--") return interpreter.is_positional ? word(i + 1) : "";
    if (text.starts_with("--file=")) return words[i].substr(7);
    if (text.starts_with("--")) {
      const std::string_view name = text.substr(0, text.find('='));
      if (lists(interpreter.long_code, name)) return "";
      if (lists(interpreter.long_valued, text)) ++i;
      continue;
    }
    std::string_view rest;
    switch (step_of(interpreter, text.substr(1), &rest)) {
      case OptionStep::kOn:
        break;
      case OptionStep::kSkipNext:
        ++i;
        break;
      case OptionStep::kIsNext:
        return word(i + 1);
      case OptionStep::kIsRest:
        return std::string(rest);
      case OptionStep::kModule: {
        const std::string name = rest.empty() ? word(++i) : std::string(rest);
        if (!lists(kRunners, name)) return name;
        break;
      }
      case OptionStep::kEnd:
        return "";
    }
  }
  return "";
}

}  // namespace

std::string program_name(const std::string& executable, const Words& command) {
  const Interpreter* const interpreter = interpreter_of(executable);
  if (interpreter != nullptr) {
    const std::string script = base_name(script_in(*interpreter, command));
    if (!script.empty()) return script;
  }
  return base_name(executable);
}

}  // namespace poprt
