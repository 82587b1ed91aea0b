#include "document/text_line.h"

namespace poprt {

std::string painted(const std::string& text, Grade grade, bool color) {
  if (!color || grade == Grade::kNone) return text;
  const char* const sequence = grade == Grade::kPoor        ? "\x1b[31m"
                               : grade == Grade::kAttention ? "\x1b[33m"
                               : grade == Grade::kBetter    ? "\x1b[34m"
                                                            : "\x1b[32m";
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return text;
  const size_t end = text.find_last_not_of(' ') + 1;
  return text.substr(0, begin) + sequence + text.substr(begin, end - begin) +
         "\x1b[0m" + text.substr(end);
}

void TextLine::add_label(const std::string& label, int depth, size_t width) {
  const std::string indent(1 + 2 * static_cast<size_t>(depth), ' ');
  line_ += left(indent + printable(label), width);
}

void TextLine::add_number(const std::string& number, const std::string& note,
                          size_t width, Grade grade) {
  const std::string text = note.size() >= 3
                               ? right(number + note, width)
                               : right(number, width - 2) + " " + left(note, 1);
  line_ += painted(text, grade, color_);
}

void TextLine::add_name(const std::string& name, size_t width) {
  const std::string over_numbers = right(name, width - 2) + "  ";
  line_ += over_numbers.front() == ' ' ? over_numbers : right(name, width);
}

void TextLine::add_right(const std::string& text, size_t width) {
  const std::string padded = right(text, width);
  const bool needs_gap = !padded.starts_with(' ') && !line_.ends_with(' ');
  line_ += (needs_gap ? " " : "") + padded;
}

void TextLine::add_left(const std::string& text, size_t gap, Grade grade) {
  line_ += std::string(gap, ' ') + painted(text, grade, color_);
}

std::string TextLine::text() const {
  return line_.substr(0, line_.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace poprt
