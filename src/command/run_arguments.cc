#include "command/run_arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "base/options.h"
#include "command/installed.h"
#include "document/format.h"

namespace poprt {
namespace {

constexpr char kCounters[] = "POPRT_COUNTERS";

std::string mistake_in_mpi(const std::string& mpi,
                           const Installation& installation) {
  const auto choice = mpi_choice_of(mpi);
  const std::string valid =
      " Valid: auto, openmpi, mpich, abi, or the path of an MPI library or a "
      "libpoprt.so.";
  if (!choice) {
    const bool can_be_read = access(mpi.c_str(), R_OK) == 0;
    return fmt::format("--mpi={}: {}.{}", printable(mpi),
                       can_be_read ? "is no MPI library" : std::strerror(errno),
                       valid);
  }
  if (!can_be_preloaded(choice->library)) {
    return fmt::format(
        "--mpi={}: the loader preloads no path with a blank or a colon. Give "
        "a link to it that has none.",
        printable(mpi));
  }
  const Mpi named = choice->mpi;
  if (named == Mpi::kOther) {
    return fmt::format("--mpi={}: {} is {}.", printable(mpi),
                       printable(base_name(mpi)), name_of(named));
  }
  if (named != Mpi::kNone && installation.mpi_libraries.count(named) == 0) {
    return fmt::format(
        "--mpi={}: there is no libpoprt.so for {} beside this poprt. Build "
        "poprt with that MPI's mpicc in PATH.",
        printable(mpi), name_of(named));
  }
  return "";
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

std::string counters_asked_for(const Environment& environment,
                               const RunArguments& arguments) {
  return value_of(with_options(environment, arguments), kCounters);
}

RunArguments with_counters(RunArguments arguments,
                           const std::string& counters) {
  for (Twin& twin : arguments.twins) {
    if (twin.variable == kCounters) twin.value = counters;
  }
  return arguments;
}

Options options_in(const Environment& environment) {
  std::vector<std::string> complaints;
  return read_options(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      {}, &complaints);
}

bool wants_report(const Environment& environment) {
  const Options options = options_in(environment);
  return options.text || options.json;
}

std::string mistake_in(const RunArguments& arguments,
                       const Installation& installation) {
  for (const Twin& twin : arguments.twins) {
    const std::string mistake = option_mistake(twin.variable, twin.value);
    if (!mistake.empty()) return twin.option + "=" + mistake;
  }
  const std::string mpi = mistake_in_mpi(arguments.mpi, installation);
  if (!mpi.empty()) return mpi;
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

void make_paths_absolute(RunArguments* arguments) {
  const auto make_absolute = [](std::string* value,
                                std::initializer_list<std::string_view> words) {
    if (std::find(words.begin(), words.end(), *value) != words.end()) return;
    // If there is no such file the word is shown as it was given.
    std::error_code error;
    const auto path = std::filesystem::absolute(*value, error);
    if (!error && std::filesystem::exists(path, error)) *value = path.string();
  };
  make_absolute(&arguments->omp, {"auto", "keep"});
  make_absolute(&arguments->mpi, {"auto", "openmpi", "mpich", "abi"});
  make_absolute(&arguments->counter_table, {""});
}

std::vector<std::string> own_words(const RunArguments& arguments) {
  std::vector<std::string> words = {own_program(), "run",
                                    "--omp=" + arguments.omp};
  if (arguments.mpi != "auto") words.push_back("--mpi=" + arguments.mpi);
  if (!arguments.counter_table.empty()) {
    words.push_back("--counter-table=" + arguments.counter_table);
  }
  for (const Twin& twin : arguments.twins) {
    if (!twin.value.empty()) words.push_back(twin.option + "=" + twin.value);
  }
  words.push_back("--");
  return words;
}

}  // namespace poprt
