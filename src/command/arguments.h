// What several subcommands understand alike.
#ifndef POPRT_COMMAND_ARGUMENTS_H_
#define POPRT_COMMAND_ARGUMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Says on stderr what is wrong: "poprt: ...".
void complain(const std::string& what);

// Writes to stdout; whether that has worked is asked at the end.
void write_out(const std::string& text);

// Writes a new file, never over an existing one (a number is added to its
// name), and says on stdout which; false and a complaint where it cannot.
// "-" is stdout.  Only a path that the user has `named` may be a device or
// pipe.
bool save(const std::string& path, const std::string& text, bool named = true);

// Models by their keys, their short names and "all", in the order of kModels;
// nullopt and a complaint for any other word.
std::optional<std::vector<Model>> models_named(
    const std::vector<std::string>& words);

// Those of `names` that match one of the patterns (*, ?, [...]), each once;
// nullopt and a complaint, that `where` has no such region, where one of them
// matches none.
std::optional<std::vector<std::string>> names_matching(
    const std::vector<std::string>& names,
    const std::vector<std::string>& patterns, const std::string& where);

// Names of the report's regions that match one of the patterns (*, ?, [...]);
// nullopt and a complaint where one of them matches none.
std::optional<std::vector<std::string>> regions_matching(
    const JobReport& report, const std::vector<std::string>& patterns,
    const std::string& file);

// `when` is always, never or auto: on a terminal (https://no-color.org, and
// what terminals say of themselves).
bool color_wanted(const std::string& when);

}  // namespace poprt

#endif  // POPRT_COMMAND_ARGUMENTS_H_
