// Arguments and output that several subcommands share.
#ifndef POPRT_COMMAND_ARGUMENTS_H_
#define POPRT_COMMAND_ARGUMENTS_H_

#include <optional>
#include <string>
#include <vector>

#include "document/render.h"
#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// Prints "poprt: ..." with the complaint on stderr.
void complain(const std::string& what);

// Writes to stdout.  Errors are checked at the end of the program.
void write_out(const std::string& text);

// Writes a new file and prints its name.  Never overwrites a file: a number is
// added to the name.  "-" is stdout.  False, with a complaint, if it cannot be
// written.  Only a path that the user has `named` may be a device or a pipe.
bool save(const std::string& path, const std::string& text, bool named = true);

// Parses models by their keys, their short names or "all", and returns them in
// the order of kModels; nullopt, with a complaint, for any other word.
std::optional<std::vector<Model>> models_named(
    const std::vector<std::string>& words);

// Those of `names` that match one of the patterns (*, ?, [...]), each once.
// nullopt if a pattern matches none, with the complaint that `where` has no
// such region.
std::optional<std::vector<std::string>> names_matching(
    const std::vector<std::string>& names,
    const std::vector<std::string>& patterns, const std::string& where);

// The names of the report's regions that match one of the patterns (*, ?,
// [...]). nullopt, with a complaint, if a pattern matches none.
std::optional<std::vector<std::string>> regions_matching(
    const JobReport& report, const std::vector<std::string>& patterns,
    const std::string& file);

// How text on stdout looks.  `color` is always, never or auto; auto: see
// base/terminal.h.
TextStyle style_of_stdout(const std::string& color);

}  // namespace poprt

#endif  // POPRT_COMMAND_ARGUMENTS_H_
