// Tables of a document as text, in the width of a page.
#ifndef POPRT_DOCUMENT_TEXT_TABLE_H_
#define POPRT_DOCUMENT_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.h"

namespace poprt {

class TextTables {
 public:
  // `page`: how wide tables may be, at least the report's width.
  // `sentence_width`: the same for the sentences below them.
  TextTables(bool color, size_t page, size_t sentence_width)
      : color_(color), width_(page), sentence_width_(sentence_width) {}

  // Collects the reasons in its cells for legend().
  std::string text(const Table& table);

  // What the marks in the tables since the last call mean, each on its own
  // lines: footnotes, numbered in the order of their first use.  Empty if there
  // are none.
  std::string legend();

 private:
  std::string hierarchy(const Table& table);
  std::string part(const Table& table, const std::vector<bool>& is_folded,
                   size_t first, size_t end);
  // The rows that share a line.
  std::string folded(const Table& table, const std::vector<bool>& is_folded);
  std::string list(const Table& table) const;
  std::string note_of(const TableCell& cell);

  bool color_;
  size_t width_;
  size_t sentence_width_;
  std::vector<std::string> reasons_;
  bool has_better_ = false;
};

}  // namespace poprt

#endif  // POPRT_DOCUMENT_TEXT_TABLE_H_
