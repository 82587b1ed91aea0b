// Reads several run files that are named on the command line.
#ifndef POPRT_COMMAND_RUN_SETS_H_
#define POPRT_COMMAND_RUN_SETS_H_

#include <optional>
#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling_kind.h"

namespace poprt {

// The runs in files and folders, in this order.  In a folder: its *.poprt.json,
// or without any its *.json, but not those in folders inside it.  A file that
// is named twice, also by a folder or a link, is one run. nullopt, with a
// complaint, if a file cannot be read or a folder has no run file.
std::optional<std::vector<RunFile>> read_runs(
    const std::vector<std::string>& paths);

// These paths, with the runs in a folder in place of it: *.poprt.json
// and the folders of jobs that did not come to their end.
// nullopt, with a complaint, if a folder has neither.
std::optional<std::vector<std::string>> files_of_runs(
    const std::vector<std::string>& paths);

// The runs of read_runs(), grouped by shape.
std::optional<std::vector<Configuration>> read_configurations(
    const std::vector<std::string>& paths);

// `named` is strong, weak, or auto: what the runs tell, if anything. Without a
// load the runs also tell what the work of weak scaling grows with; with one,
// scaling is weak. nullopt, with a complaint, if they do not have this load.
std::optional<ScalingChoice> scaling_choice(
    const std::string& named, const std::optional<Load>& load,
    const std::vector<Configuration>& configurations);

// What the user says of it: nothing with auto.
std::optional<Scaling> scaling_said(const std::string& named);

// The names of the regions that match one of the patterns (*, ?, [...]), or
// Global without patterns. nullopt, with a complaint, if a pattern matches
// none.
std::optional<std::vector<std::string>> regions_matching(
    const std::vector<Configuration>& configurations,
    const std::vector<std::string>& patterns);

}  // namespace poprt

#endif  // POPRT_COMMAND_RUN_SETS_H_
