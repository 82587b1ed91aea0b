// Tables in GitHub's Markdown: labels on the left, numbers on the right.
#ifndef POPRT_REPORT_MARKDOWN_TABLE_H_
#define POPRT_REPORT_MARKDOWN_TABLE_H_

#include <string>
#include <vector>

namespace poprt {

// Text that Markdown takes for nothing but text.
std::string markdown_escaped(const std::string& text);

struct MarkdownRow {
  std::string label;
  int depth;  // in its hierarchy
  std::vector<std::string> cells;
};

// "82.3 !": a number with its mark.
std::string markdown_cell(const std::string& number, char mark);

// A heading and a table; `columns` are the names above the cells.  Title,
// names, labels and cells are Markdown.
std::string markdown_table(const std::string& title,
                           const std::vector<std::string>& columns,
                           const std::vector<MarkdownRow>& rows);

// The line below a table that says what "-" stands for, each reason once;
// empty without any.
std::string markdown_reasons(const std::vector<std::string>& reasons);

}  // namespace poprt

#endif  // POPRT_REPORT_MARKDOWN_TABLE_H_
