// One line of a table in text, with its label and cells in their places.  All
// tables are aligned by this class.
#ifndef POPRT_DOCUMENT_TEXT_LINE_H_
#define POPRT_DOCUMENT_TEXT_LINE_H_

#include <cstddef>
#include <string>

#include "document/format.h"

namespace poprt {

// `text` in the colour of its grade, without the blanks around it.
std::string painted(const std::string& text, Grade grade, bool color);

class TextLine {
 public:
  explicit TextLine(bool color = false) : color_(color) {}

  // A label on the left, indented by its depth in the hierarchy.
  void add_label(const std::string& label, int depth, size_t width);

  // A number, with its mark or footnote in the last three columns.
  void add_number(const std::string& number, const std::string& note,
                  size_t width, Grade grade = Grade::kNone);
  // A name of at most width - 1 columns that ends above the numbers if there is
  // room, else above their marks.
  void add_name(const std::string& name, size_t width);

  // Text on the right, after a blank.
  void add_right(const std::string& text, size_t width);
  // The last text of the line, on the left.
  void add_left(const std::string& text, size_t gap,
                Grade grade = Grade::kNone);

  // The line with its end, without trailing blanks.
  std::string text() const;

 private:
  std::string line_;
  bool color_;
};

}  // namespace poprt

#endif  // POPRT_DOCUMENT_TEXT_LINE_H_
