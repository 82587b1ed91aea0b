#include "command/formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "command/arguments.h"
#include "command/common_options.h"
#include "command/one_of.h"
#include "document/format.h"
#include "page/page.h"

namespace poprt {
namespace {

std::string markdown(const Document& document, const TextStyle& /*style*/) {
  return render_markdown(document);
}

constexpr Format kFormats[] = {
    {"text", ".txt", "", Shows::kDifference, "", render_text},
    {"markdown", ".md", "", Shows::kDifference, "\n", markdown},
    {"html", ".html", "a page for a browser, with all of it in one file",
     Shows::kScaling, "", nullptr},
    {"csv", ".csv", "", Shows::kDifference, "", nullptr},
    {"json", ".json",
     "for programs: report writes the whole run file, of the newest schema, "
     "and scale its tables with all digits",
     Shows::kScaling, "", nullptr},
};

// The format, unless this poprt cannot write it.
const Format* usable(const Format* format) {
  if (std::string_view(format->name) != "html" || !page_template().empty()) {
    return format;
  }
  complain(
      "this poprt was built without the HTML report, which needs Node.js "
      "(cmake -DPOPRT_HTML=ON): write text or Markdown.");
  return nullptr;
}

}  // namespace

const Format& format_named(std::string_view name) {
  return *std::ranges::find_if(
      kFormats, [&](const Format& each) { return each.name == name; });
}

void add_output(CLI::App* command, Output* output, const std::string& what,
                Shows shows) {
  std::vector<std::string> names;
  std::string help = "Form of the " + what +
                     "; default: by the ending of the output, else text";
  for (const Format& each : kFormats) {
    if (shows > each.widest) continue;
    names.emplace_back(each.name);
    if (*each.help != '\0') {
      help += std::string("; ") + each.name + " is " + each.help;
    }
  }
  command->add_option("-f,--format", output->format, help)
      ->check(one_of(names));
  command
      ->add_option("-o,--output", output->path,
                   "File for the " + what +
                       ", never over an existing one: a number is added; - is "
                       "stdout")
      ->capture_default_str();
  add_thresholds(command, &output->thresholds);
  add_color(command, &output->color);
}

const Format* format_of(const Output& output, Shows shows) {
  if (!output.format.empty()) return usable(&format_named(output.format));
  if (output.path == "-") return &format_named("text");
  const auto is_open = [&](const Format& each) { return shows <= each.widest; };
  const auto* const found =
      std::ranges::find_if(kFormats, [&](const Format& each) {
        return is_open(each) && output.path.ends_with(each.suffix);
      });
  if (found != std::end(kFormats)) return usable(found);
  std::vector<std::string> suffixes;
  for (const Format& each : kFormats) {
    if (is_open(each)) suffixes.emplace_back(each.suffix);
  }
  const std::string last = suffixes.back();
  suffixes.pop_back();
  complain(fmt::format(
      "-o {} does not end in {} or {}: --format says what it shall be.",
      printable(output.path), fmt::join(suffixes, ", "), last));
  return nullptr;
}

TextStyle style_of(const Output& output) {
  if (output.path == "-") return style_of_stdout(output.color);
  return {.color = output.color == "always"};
}

}  // namespace poprt
