#include "report/markdown_table.h"

#include <algorithm>
#include <string_view>

namespace poprt {
namespace {

std::string line_of(const std::string& label,
                    const std::vector<std::string>& cells) {
  std::string line = "| " + label + (label.empty() ? "|" : " |");
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

}  // namespace

std::string markdown_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#~&").find(c) != std::string_view::npos) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

std::string markdown_cell(const std::string& number, char mark) {
  return mark == ' ' ? number : number + " " + mark;
}

std::string markdown_table(const std::string& title,
                           const std::vector<std::string>& columns,
                           const std::vector<MarkdownRow>& rows) {
  std::string text = "### " + title + "\n\n" + line_of("", columns) + "|---|";
  for (size_t i = 0; i < columns.size(); ++i) text += "---:|";
  text += "\n";
  for (const MarkdownRow& row : rows) {
    std::string label;
    // Blanks at the start of a cell are dropped; these are not.
    for (int i = 0; i < row.depth; ++i) label += "&emsp;";
    text += line_of(label + row.label, row.cells);
  }
  return text;
}

std::string markdown_reasons(const std::vector<std::string>& reasons) {
  std::string text;
  for (auto it = reasons.begin(); it != reasons.end(); ++it) {
    if (it->empty() || std::find(reasons.begin(), it, *it) != it) continue;
    text += (text.empty() ? "\n`-`: " : "; ") + markdown_escaped(*it);
  }
  return text.empty() ? "" : text + "\n";
}

}  // namespace poprt
