// Numbers and names as the text report shows them.  None of it looks at the
// locale: the program may have set one in which 0.5 is "0,5".
#ifndef POPRT_REPORT_FORMAT_H_
#define POPRT_REPORT_FORMAT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace poprt {

// The text report's width, in columns.
inline constexpr size_t kReportWidth = 80;

// An efficiency as per cent with one decimal: 0.8343 is "83.4".  Below 1 it is
// never "100.0".  REQUIRES: not NaN.
std::string percent(double value);

// ' ' for good, '!' for attention, 'x' for poor: thresholds 80 % and 60 % of
// what percent() shows, so that number and mark never disagree.
char mark(double value);

// Four significant digits and a unit: "1.234 s", "81.20 ms", "950 ns".
std::string duration(int64_t ns);

// Control characters and what is not UTF-8 become '?': a region's name comes
// from the program, and a report must not move the cursor.
std::string printable(std::string_view text);

// At most `width` columns: the middle of a longer text becomes "..", since
// names differ at their ends.  REQUIRES: printable text.
std::string shortened(const std::string& text, size_t width);

// Padded to `width` columns, on the right or on the left.
std::string left(const std::string& text, size_t width, char fill = ' ');
std::string right(const std::string& text, size_t width);

// `text` broken at blanks into lines of at most the report's width; lines
// start with `first`, from the second on with as many blanks.
std::string wrapped(std::string_view first, std::string_view text);

// "1 rank", "2 ranks", "2 processes".
std::string counted(int64_t count, std::string_view noun);

// The line below a table that leaves out so many rows; empty for none.
std::string more_in_run_file(size_t rows);

}  // namespace poprt

#endif  // POPRT_REPORT_FORMAT_H_
