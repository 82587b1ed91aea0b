// Drawings in other forms, by a program that is there for it.
#ifndef POPRT_COMMAND_SVG_CONVERTER_H_
#define POPRT_COMMAND_SVG_CONVERTER_H_

#include <optional>
#include <string>

namespace poprt {

// The SVG as PDF ("pdf", text stays text) or as pixels, 300 an inch ("png"), by
// rsvg-convert of librsvg.  nullopt, with a complaint, if that is not there or
// fails.
std::optional<std::string> converted(const std::string& svg,
                                     const std::string& format);

}  // namespace poprt

#endif  // POPRT_COMMAND_SVG_CONVERTER_H_
