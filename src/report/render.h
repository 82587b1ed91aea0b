// Renders documents in the formats that people read: one function, and one
// file, for each format.
#ifndef POPRT_REPORT_RENDER_H_
#define POPRT_REPORT_RENDER_H_

#include <string>

#include "report/document.h"

namespace poprt {

struct TextStyle {
  bool color = false;  // with the escape sequences of a terminal
  // Whether the title is a banner and a rule ends the document.  Short answers
  // have no frame.
  bool has_frame = true;
};

// For a terminal: 80 columns wide.
std::string render_text(const Document& document, const TextStyle& style = {});
// A single block, or only facts.
std::string block_text(const Block& block, const TextStyle& style = {});

// GitHub's Markdown, for issues, merge requests and wikis.
std::string render_markdown(const Document& document);

}  // namespace poprt

#endif  // POPRT_REPORT_RENDER_H_
