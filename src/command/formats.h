// The formats in which the commands write what they have found.  One table is
// behind --format, its help and completions, and the meaning of -o's ending.
#ifndef POPRT_COMMAND_FORMATS_H_
#define POPRT_COMMAND_FORMATS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "document/render.h"

namespace poprt {

// What a command shows: runs one by one, how they scale, or what differs.
enum class Shows { kRuns, kScaling, kDifference };

struct Format {
  const char* name;     // as --format takes it
  const char* suffix;   // of the files that have it unless --format is given
  const char* help;     // "" if the name says it all
  Shows widest;         // the last kind of command that has it
  const char* between;  // what separates two documents
  // nullptr if it is no view of one document, but made of the values
  // themselves.
  std::string (*render)(const Document& document, const TextStyle& style);
};

// REQUIRES: there is one of that name.
const Format& format_named(std::string_view name);

// Where a command writes to, in which format, and how tables look.
struct Output {
  std::string format;  // empty: by the ending of `path`, else text
  std::string path = "-";
  std::string color = "auto";
  std::vector<double> thresholds;
};

// Adds --format, --output, --thresholds and --color: the same for all
// commands that have tables.
void add_output(CLI::App* command, Output* output, const std::string& what,
                Shows shows);

// The format that was given, or the one that fits the name of the file.
// nullptr, with a complaint, if the name fits none of those that the command
// has, or a format that this poprt was built without.
const Format* format_of(const Output& output, Shows shows);

TextStyle style_of(const Output& output);

}  // namespace poprt

#endif  // POPRT_COMMAND_FORMATS_H_
