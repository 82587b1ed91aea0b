// Renders documents in the formats that people read: one function, and one
// file, for each format.
#ifndef POPRT_DOCUMENT_RENDER_H_
#define POPRT_DOCUMENT_RENDER_H_

#include <string>

#include "document/document.h"
#include "document/format.h"

namespace poprt {

struct TextStyle {
  bool color = false;  // with the escape sequences of a terminal
  // Whether the title is a banner and a rule ends the document.  Short answers
  // have no frame.
  bool has_frame = true;
  // Columns of the terminal.  Tables that need more than the report's width
  // take as much of it as they need.
  size_t width = kReportWidth;
};

// For a terminal: 80 columns wide, or as wide as its tables need and the
// style's width allows.  Sentences are never longer than 100 columns.
std::string render_text(const Document& document, const TextStyle& style = {});
// A single block, or only facts.
std::string block_text(const Block& block, const TextStyle& style = {});

// GitHub's Markdown, for issues, merge requests and wikis.
std::string render_markdown(const Document& document);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_RENDER_H_
