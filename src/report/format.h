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

// What percent() does not show as 0.0.
inline constexpr double kLeastShown = 0.0005;

// An efficiency as per cent with one decimal: 0.8343 is "83.4".  Below 1 it is
// never "100.0".  REQUIRES: not NaN.
std::string percent(double value);

// The same as a fraction with three decimals: "0.834".
std::string fraction(double value);

// Below `poor` an efficiency is poor, below `good` it wants attention.
struct Thresholds {
  double poor = 0.6;
  double good = 0.8;
};

// ' ' for good, '!' for attention, 'x' for poor: of what percent() shows, so
// that number and mark never disagree.
char mark(double value, const Thresholds& thresholds = {});

// "9.123", "12.35", "123.5", "12345".  REQUIRES: not negative.
std::string four_digits(double value);

// The largest unit in which a time is no less than 1, and its length.
struct TimeUnit {
  const char* name;
  double ns;
};
TimeUnit unit_for(double ns);

// Four significant digits and a unit: "1.234 s", "81.20 ms", "950 ns".
std::string duration(int64_t ns);

// Control characters, those that move or hide the text around them (U+202E,
// U+2028) and what is not UTF-8 become '?': a region's name comes from the
// program, and a report must not move the cursor.
std::string printable(std::string_view text);

// How many columns of a terminal printable text takes.
size_t columns(std::string_view text);

// At most `width` columns: the middle of a longer text becomes "..", since
// names differ at their ends.  REQUIRES: printable text.
std::string shortened(const std::string& text, size_t width);

// Padded to `width` columns, on the right or on the left.
std::string left(const std::string& text, size_t width, char fill = ' ');
std::string right(const std::string& text, size_t width);

// `text` broken at blanks into lines of at most the report's width; lines
// start with `first`, from the second on with as many blanks.
std::string wrapped(std::string_view first, std::string_view text);

// A text as a field of a CSV file (RFC 4180); printable, and no formula: one
// that begins with =, +, - or @ has an apostrophe in front.
std::string csv_field(const std::string& raw);

// "1 rank", "2 ranks", "2 processes".
std::string counted(int64_t count, std::string_view noun);

// The line below a table that leaves out so many rows; empty for none.
std::string more_in_run_file(size_t rows);

}  // namespace poprt

#endif  // POPRT_REPORT_FORMAT_H_
