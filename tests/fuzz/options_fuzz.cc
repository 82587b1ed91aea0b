// Environment variables, a line "NAME=value" each: every mistake is one line,
// and no value is an error.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace poprt;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::map<std::string, std::string> variables;
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t equals = line.find('=');
    // The kernel's strings end at a zero.
    if (equals == line.npos || line.find('\0') != line.npos) continue;
    const std::string name(line.substr(0, equals));
    const std::string value(line.substr(equals + 1));
    if (name.starts_with("POPRT_")) names.push_back(name);
    variables[name] = value;
    fuzz::require(fuzz::is_one_line(option_mistake(name, value)),
                  "a mistake is one line");
  }
  std::vector<std::string> complaints;
  const Options options = read_options(
      [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
      },
      names, &complaints);
  for (const std::string& complaint : complaints) {
    fuzz::require(!complaint.empty() && fuzz::is_one_line(complaint),
                  "a complaint is one line", complaint);
  }
  fuzz::require(!options.models.empty(), "there is a model to show");
  for (const bool is_folder : {false, true}) {
    fuzz::require(
        !run_file_path(options.output, is_folder, "program", 2, "4", "host", 17)
             .empty(),
        "the run file has a path");
  }
  return 0;
}
