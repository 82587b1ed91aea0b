#include "report/cells.h"

#include <string_view>

#include "report/format.h"

namespace poprt {

std::string row_label(std::string label, int depth) {
  label.insert(0, 1 + 2 * static_cast<size_t>(depth), ' ');
  // Every row is an efficiency; where the word does not fit it can go.
  constexpr std::string_view kWord = " Efficiency";
  if (label.size() > kLabelWidth && label.ends_with(kWord)) {
    label.resize(label.size() - kWord.size());
  }
  return left(label, kLabelWidth);
}

std::string cell(const std::string& number, const std::string& note,
                 size_t width) {
  return note.size() >= 3 ? right(number + note, width)
                          : right(number, width - 2) + " " + note;
}

std::string name_cell(const std::string& name, size_t width) {
  const std::string text = shortened(printable(name), width - 1);
  const std::string over_numbers = right(text, width - 2) + "  ";
  return over_numbers.front() == ' ' ? over_numbers : right(text, width);
}

std::string painted(const std::string& text, char mark, bool color) {
  if (!color) return text;
  const char* const sequence = mark == 'x'   ? "\x1b[31m"
                               : mark == '!' ? "\x1b[33m"
                               : mark == '+' ? "\x1b[34m"
                                             : "\x1b[32m";
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return text;
  const size_t end = text.find_last_not_of(' ') + 1;
  return text.substr(0, begin) + sequence + text.substr(begin, end - begin) +
         "\x1b[0m" + text.substr(end);
}

std::string without_end_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace poprt
