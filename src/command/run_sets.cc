#include "command/run_sets.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "command/arguments.h"
#include "document/format.h"
#include "page/page_file.h"
#include "run_file/input.h"
#include "run_file/pieces.h"
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

// The run files in a folder, sorted by name: *.poprt.json, or without any
// *.json, of which not all are sure to be runs.  Complains if there are none,
// unless `only_sure`.
std::vector<std::string> files_in(const std::string& folder,
                                  bool only_sure = false) {
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
  if (found.empty() && !only_sure) found = ending_in(files, ".json");
  std::erase_if(found, [](const std::string& path) {
    std::error_code unknown;
    const fs::file_status status = fs::status(path, unknown);
    // Reading a pipe would wait for ever.
    const bool is_other = fs::exists(status) && !fs::is_regular_file(status);
    if (is_other) complain(printable(path) + " is no file, and left out.");
    return is_other;
  });
  if (found.empty() && !only_sure) {
    complain(printable(folder) + " has no run file (*.poprt.json, *.json).");
  }
  std::sort(found.begin(), found.end());
  return found;
}

// A path that is the same for the same file; the path itself if it cannot be
// resolved.
std::string real_path(const std::string& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return error ? file : real.string();
}

// The runs in a file: one, or those in a page.  Empty, with a complaint, if it
// cannot be read.
std::vector<RunFile> runs_in(const std::string& file) {
  std::string complaint;
  std::vector<RunFile> runs;
  if (has_pieces(file)) {
    auto report = read_pieces(file, &complaint);
    if (report) {
      runs.push_back({file, *std::move(report)});
    } else {
      complain(complaint);
    }
    return runs;
  }
  const auto add = [&](std::string_view text, const std::string& path,
                       const std::string& name) {
    auto report = parse_run_file(text, name, &complaint);
    if (report) runs.push_back({path, *std::move(report)});
    return report.has_value();
  };
  const auto text = read_input(file, &complaint);
  if (text && !is_page(*text)) add(*text, file, input_name(file));
  if (text && is_page(*text)) {
    const auto in_page = runs_in_page(*text, input_name(file), &complaint);
    const bool is_good =
        in_page && std::ranges::all_of(*in_page, [&](const RunInPage& each) {
          return add(each.text, each.file,
                     each.file + " in " + input_name(file));
        });
    if (!is_good) runs.clear();
  }
  if (!complaint.empty()) complain(complaint);
  return runs;
}

// Whether each run has this load; a complaint about the first that has not.
bool have_load(const Load& load,
               const std::vector<Configuration>& configurations) {
  if (load.by != Load::By::kMetadata) return true;
  for (const Configuration& configuration : configurations) {
    for (const RunFile& run : configuration.runs) {
      if (!std::isnan(metadata_number(run.report, load.key))) continue;
      complain(printable(run.path) + " has no " + name_of(load) +
               ", or it is no number above 0: its load is not known.");
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> files_of_runs(
    const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> ended = folders_of_pieces(path);
    std::ranges::copy(ended, std::back_inserter(files));
    if (!ended.empty() && ended.front() == path) continue;
    const std::vector<std::string> whole = files_in(path, /*only_sure=*/true);
    if (ended.empty() && whole.empty()) {
      complain(printable(path) + " has no run file (*.poprt.json).");
      return std::nullopt;
    }
    std::ranges::copy(whole, std::back_inserter(files));
  }
  return files;
}

std::optional<std::vector<RunFile>> read_runs(
    const std::vector<std::string>& paths) {
  std::vector<RunFile> runs;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    std::error_code error;
    std::vector<std::string> files = {path};
    if (fs::is_directory(path, error) && !has_pieces(path)) {
      files = files_in(path);
    }
    if (files.empty()) return std::nullopt;
    for (const std::string& file : files) {
      if (!seen.insert(real_path(file)).second) continue;
      std::vector<RunFile> found = runs_in(file);
      if (found.empty()) return std::nullopt;
      std::ranges::move(found, std::back_inserter(runs));
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
    const std::string& named, const std::optional<Load>& load,
    const std::vector<Configuration>& configurations) {
  if (load) {
    if (!have_load(*load, configurations)) return std::nullopt;
    return ScalingChoice{Scaling::kWeak, *load,
                         "weak, load by " + name_of(*load) + ", as given"};
  }
  if (named == "strong") {
    return ScalingChoice{Scaling::kStrong, {}, "strong, as given"};
  }
  return named == "weak" ? weak_scaling(configurations)
                         : scaling_choice(configurations);
}

std::optional<Scaling> scaling_said(const std::string& named) {
  if (named == "strong") return Scaling::kStrong;
  if (named == "weak") return Scaling::kWeak;
  return std::nullopt;
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
