#include "command/run_sets.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "command/arguments.h"
#include "compare/scaling_kind.h"
#include "report/format.h"
#include "run_file/reader.h"

namespace poprt {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> ending_in(const std::vector<std::string>& files,
                                   const std::string& end) {
  std::vector<std::string> result;
  std::copy_if(files.begin(), files.end(), std::back_inserter(result),
               [&](const std::string& file) { return file.ends_with(end); });
  return result;
}

// The run files of a folder, by name; none and a complaint where it has none.
std::vector<std::string> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    files.push_back(it->path().string());
  }
  if (error) {
    complain(printable(folder) + ": cannot be read: " + error.message());
    return {};
  }
  std::vector<std::string> found = ending_in(files, ".poprt.json");
  if (found.empty()) found = ending_in(files, ".json");
  if (found.empty()) {
    complain(printable(folder) + " has no run file (*.poprt.json, *.json).");
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What tells files apart: the path itself where it cannot be followed.
std::string real_path(const std::string& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return error ? file : real.string();
}

}  // namespace

std::optional<std::vector<RunFile>> read_runs(
    const std::vector<std::string>& paths) {
  std::vector<RunFile> runs;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    std::error_code error;
    std::vector<std::string> files = {path};
    if (fs::is_directory(path, error)) files = files_in(path);
    if (files.empty()) return std::nullopt;
    for (const std::string& file : files) {
      if (!seen.insert(real_path(file)).second) continue;
      std::string complaint;
      std::optional<JobReport> report = read_run_file(file, &complaint);
      if (!report) {
        complain(complaint);
        return std::nullopt;
      }
      runs.push_back({file, std::move(*report)});
    }
  }
  return runs;
}

std::optional<std::vector<Configuration>> read_configurations(
    const std::vector<std::string>& paths) {
  auto runs = read_runs(paths);
  if (!runs) return std::nullopt;
  return configurations_of(*std::move(runs));
}

std::optional<ScalingChoice> scaling_choice(
    const std::string& named,
    const std::vector<Configuration>& configurations) {
  if (named != "auto") {
    return ScalingChoice{named == "weak" ? Scaling::kWeak : Scaling::kStrong,
                         named + ", as given"};
  }
  const ScalingVotes votes = scaling_votes(configurations);
  const std::optional<Scaling> decision = decided(votes);
  if (!decision) {
    complain(
        "strong or weak scaling? The runs do not tell. Say --scaling strong or "
        "--scaling weak.");
    return std::nullopt;
  }
  return ScalingChoice{
      *decision, std::string(name_of(*decision)) + ": " + evidence(votes)};
}

std::optional<std::vector<std::string>> regions_matching(
    const std::vector<Configuration>& configurations,
    const std::vector<std::string>& patterns) {
  if (patterns.empty()) return std::vector<std::string>{kGlobalRegion};
  return names_matching(
      region_names(configurations), patterns,
      configurations.size() == 1 && configurations[0].runs.size() == 1
          ? configurations[0].runs[0].path
          : "this set of runs");
}

}  // namespace poprt
