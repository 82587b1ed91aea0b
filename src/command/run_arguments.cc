#include "command/run_arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "command/installed.h"
#include "report/format.h"
#include "runtime/options.h"

namespace poprt {
namespace {

// What the library will make of it; it complains itself.
Options options_in(const Environment& environment) {
  std::vector<std::string> complaints;
  return read_options(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      {}, &complaints);
}

}  // namespace

std::string option_for(const std::string& variable) {
  std::string option = "--" + variable.substr(std::strlen("POPRT_"));
  for (char& c : option) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return option;
}

Environment with_options(Environment environment,
                         const RunArguments& arguments) {
  for (const Twin& twin : arguments.twins) {
    if (!twin.value.empty()) environment[twin.variable] = twin.value;
  }
  return environment;
}

bool wants_report(const Environment& environment) {
  const Options options = options_in(environment);
  return options.text || options.json;
}

std::string mistake_in(const RunArguments& arguments) {
  for (const Twin& twin : arguments.twins) {
    const std::string mistake = option_mistake(twin.variable, twin.value);
    if (!mistake.empty()) return twin.option + "=" + mistake;
  }
  const std::string& omp = arguments.omp;
  if (omp == "auto" || omp == "keep") return "";
  if (access(omp.c_str(), R_OK) != 0) {
    return fmt::format(
        "--omp={}: {}. Valid: auto, keep, or the path of an OpenMP runtime.",
        printable(omp), std::strerror(errno));
  }
  if (!can_be_preloaded(omp)) {
    return fmt::format(
        "--omp={}: the loader preloads no path with a blank or a colon. Give "
        "a link to it that has none.",
        printable(omp));
  }
  return "";
}

std::string mistake_in(const Installation& installation) {
  const std::string path = unloadable_library(installation);
  if (path.empty()) return "";
  return fmt::format(
      "{}: the loader preloads no path with a blank or a colon. Install poprt "
      "in a folder that has none.",
      printable(path));
}

std::string absolute_runtime(const std::string& omp) {
  if (omp == "auto" || omp == "keep") return omp;
  std::error_code error;
  const auto path = std::filesystem::absolute(omp, error);
  return error ? omp : path.string();
}

std::vector<std::string> own_words(const RunArguments& arguments) {
  std::vector<std::string> words = {own_program(), "run",
                                    "--omp=" + arguments.omp};
  for (const Twin& twin : arguments.twins) {
    if (!twin.value.empty()) words.push_back(twin.option + "=" + twin.value);
  }
  words.push_back("--");
  return words;
}

}  // namespace poprt
