// Tables of a document as text, 80 columns wide.
#ifndef POPRT_REPORT_TEXT_TABLE_H_
#define POPRT_REPORT_TEXT_TABLE_H_

#include <string>
#include <vector>

#include "report/document.h"

namespace poprt {

class TextTables {
 public:
  explicit TextTables(bool color) : color_(color) {}

  // Collects the reasons in its cells for legend().
  std::string text(const Table& table);

  // What the marks in the tables since the last call mean, each on its own
  // lines: footnotes, numbered in the order of their first use.  Empty if there
  // are none.
  std::string legend();

 private:
  struct Layout;

  std::string hierarchy(const Table& table);
  std::string part(const Table& table, const Layout& layout, size_t first,
                   size_t end);
  std::string list(const Table& table) const;
  std::string note_of(const TableCell& cell);

  bool color_;
  std::vector<std::string> reasons_;
  bool has_better_ = false;
};

}  // namespace poprt

#endif  // POPRT_REPORT_TEXT_TABLE_H_
