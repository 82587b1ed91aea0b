// Several run files at once, as they are named on the command line.
#ifndef POPRT_COMMAND_RUN_SETS_H_
#define POPRT_COMMAND_RUN_SETS_H_

#include <optional>
#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling.h"

namespace poprt {

// The runs in files and folders, in this order.  Of a folder: its
// *.poprt.json, or where there are none its *.json, not those of folders in it.
// A file that is named twice, also by a folder or a link, is one run.  nullopt
// and a complaint where one of them cannot be read or a folder has no run file.
std::optional<std::vector<RunFile>> read_runs(
    const std::vector<std::string>& paths);

// The same by shape.
std::optional<std::vector<Configuration>> read_configurations(
    const std::vector<std::string>& paths);

// How runs are compared, and who says so.
struct ScalingChoice {
  Scaling scaling;
  std::string how;
};

// `named` is strong, weak, or auto: decided from the runs; nullopt and a
// complaint where these do not tell.
std::optional<ScalingChoice> scaling_choice(
    const std::string& named, const std::vector<Configuration>& configurations);

// Names of the regions that match one of the patterns (*, ?, [...]), Global
// without patterns; nullopt and a complaint where one of them matches none.
std::optional<std::vector<std::string>> regions_matching(
    const std::vector<Configuration>& configurations,
    const std::vector<std::string>& patterns);

}  // namespace poprt

#endif  // POPRT_COMMAND_RUN_SETS_H_
