// Figures as files: the charts of the page, drawn without a browser.  What
// draws them is JavaScript (web/src/paper.ts), embedded like the page; a small
// engine runs it.
#ifndef POPRT_PAGE_DRAWING_H_
#define POPRT_PAGE_DRAWING_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/figure.h"
#include "document/document.h"
#include "document/format.h"

namespace poprt {

// The script; empty in a poprt that was built without it.
std::string_view paper_script();

// Why this poprt cannot draw, as a sentence without its end; "" if it can.
std::string why_no_drawings();

struct Drawing {
  std::string kind;  // key of the figure's kind
  std::string title;
  const Figure* figure;
  // The same values as the report's table: for the kind "table".
  std::vector<Table> table = {};
  Thresholds thresholds = {};
  double width_mm = 0;  // 0: a column of a paper, or what it needs
};

// The drawing as SVG. nullopt, with the reason, if the script fails: a mistake.
// REQUIRES: poprt can draw.
std::optional<std::string> svg_of(const Drawing& drawing, std::string* reason);

}  // namespace poprt

#endif  // POPRT_PAGE_DRAWING_H_
