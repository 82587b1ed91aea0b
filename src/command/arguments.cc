#include "command/arguments.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unordered_set>

#include "base/new_file.h"
#include "base/terminal.h"
#include "command/suggestion.h"
#include "document/format.h"

namespace poprt {
void complain(const std::string& what) {
  // It may quote anything: words of the command line, names of files.
  const std::string line = "poprt: " + printable(what) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void write_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

bool save(const std::string& path, const std::string& text, bool named) {
  if (path == "-") {
    write_out(text);
    return true;
  }
  if (is_directory(path)) {
    complain(fmt::format("{} is a folder: name a file.", printable(path)));
    return false;
  }
  std::fflush(stdout);  // the file may be the same as stdout
  const bool stream = named && is_stream(path);
  std::string written;
  if (!stream) {
    written = write_new_file(path, text);
  } else if (write_to_stream(path, text, INT64_MAX)) {
    written = path;
  }
  if (written.empty()) {
    complain(fmt::format("{} cannot be written: {}", printable(path),
                         std::strerror(errno)));
    return false;
  }
  if (!stream) write_out(printable(written) + "\n");
  return true;
}

std::optional<std::vector<Model>> models_named(
    const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const bool known =
        std::any_of(std::begin(kModels), std::end(kModels),
                    [&](Model model) { return is_meant(model, word); });
    if (known) continue;
    std::string valid;
    std::vector<std::string> keys;
    for (const Model model : kModels) {
      keys.push_back(key_of(model));
      valid += std::string(key_of(model)) + ", ";
    }
    complain(fmt::format("no model \"{}\".{} Valid: {}all.", printable(word),
                         did_you_mean(word, keys), valid));
    return std::nullopt;
  }
  std::vector<Model> models;
  for (const Model model : kModels) {
    const bool named = std::any_of(
        words.begin(), words.end(),
        [&](const std::string& word) { return is_meant(model, word); });
    if (named) models.push_back(model);
  }
  return models;
}

std::optional<std::vector<std::string>> names_matching(
    const std::vector<std::string>& names,
    const std::vector<std::string>& patterns, const std::string& where) {
  std::vector<std::string> matching;
  std::unordered_set<std::string> seen;
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (const std::string& name : names) {
      if (name != pattern && fnmatch(pattern.c_str(), name.c_str(), 0) != 0) {
        continue;
      }
      any = true;
      if (seen.insert(name).second) matching.push_back(name);
    }
    if (any) continue;
    std::string there;
    for (const std::string& name : names) {
      there += (there.empty() ? "" : ", ") + printable(name);
    }
    complain(fmt::format("{} has no region \"{}\".{} Regions there: {}.",
                         printable(where), printable(pattern),
                         did_you_mean(pattern, names), shortened(there, 200)));
    return std::nullopt;
  }
  return matching;
}

std::optional<std::vector<std::string>> regions_matching(
    const JobReport& report, const std::vector<std::string>& patterns,
    const std::string& file) {
  std::vector<std::string> names;
  for (const RegionReport& region : report.regions) {
    names.push_back(region.totals.name);
  }
  return names_matching(names, patterns, file);
}

TextStyle style_of_stdout(const std::string& color) {
  const bool has_color =
      color == "auto" ? color_wanted(STDOUT_FILENO) : color == "always";
  return {.color = has_color, .width = terminal_columns(STDOUT_FILENO)};
}

}  // namespace poprt
