// The formats in which the commands write what they have found.  One table is
// behind --format, its help and completions, and the meaning of -o's ending.
#ifndef POPRT_COMMAND_FORMATS_H_
#define POPRT_COMMAND_FORMATS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.h"
#include "report/render.h"
#include "report/writers.h"

namespace poprt {

struct Format {
  const char* name;     // as --format takes it
  const char* suffix;   // of the files that have it unless --format is given
  const char* help;     // "" if the name says it all
  bool is_of_one_run;   // only a command that shows one run has it
  const char* between;  // what separates two documents
  // nullptr if it is no view of a document, but made of the values themselves.
  std::string (*render)(const Document& document, const TextStyle& style);
};

// REQUIRES: there is one of that name.
const Format& format_named(std::string_view name);

// Where a command writes to, in which format, and how tables look.
struct Output {
  std::string format;  // empty: by the ending of `path`, else text
  std::string path = "-";
  std::string color = "auto";
  std::string units = "percent";
  std::vector<double> thresholds = {0.6, 0.8};
};

// Adds --format, --output, --units, --thresholds and --color: the same for all
// commands that have tables.
void add_output(CLI::App* command, Output* output, const std::string& what,
                bool shows_one_run);

EfficiencyUnit unit_of(const Output& output);

// nullopt, with a complaint, if the numbers make no sense.
std::optional<Thresholds> thresholds_of(const Output& output);

// The format that was given, or the one that fits the name of the file.
// nullptr, with a complaint, if the name fits none of those that the command
// has.
const Format* format_of(const Output& output, bool shows_one_run);

TextStyle style_of(const Output& output);

}  // namespace poprt

#endif  // POPRT_COMMAND_FORMATS_H_
