// Numbers and names as the text report shows them, independent of the locale:
// the program may have set one in which 0.5 is "0,5".
#ifndef POPRT_DOCUMENT_FORMAT_H_
#define POPRT_DOCUMENT_FORMAT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

// The width of the text report in columns.
inline constexpr size_t kReportWidth = 80;

// The smallest value that percent() does not show as 0.0.
inline constexpr double kLeastShown = 0.0005;

// An efficiency in per cent with one decimal: 0.8343 is "83.4".  A value below
// 1 is never shown as "100.0".  REQUIRES: not NaN.
std::string percent(double value);

// An efficiency below `poor` is poor, one below `good` needs attention.
struct Thresholds {
  double poor = 0.6;
  double good = 0.8;
};

// How good a value is. kNone: not graded. kBetter: better than what it is
// compared with.
enum class Grade { kNone, kGood, kAttention, kPoor, kBetter };

// "good", "attention", "poor", "better"; "" for kNone.  In CSV and pages.
const char* key_of(Grade grade);

// The grade of the number as percent() shows it, so that number and mark never
// contradict each other.
Grade grade_of(double value, const Thresholds& thresholds = {});

// "9.123", "12.35", "123.5", "12345".  REQUIRES: not negative.
std::string four_digits(double value);

// Four significant digits of a count of 0 or more, with a prefix of the SI:
// "12.34 G", "950".
std::string with_prefix(double count);

// The largest unit in which a time is at least 1.
struct TimeUnit {
  const char* name;
  double ns;
};
TimeUnit unit_for(double ns);

// Four significant digits and a unit: "1.234 s", "81.20 ms", "950 ns".
std::string duration(int64_t ns);

// Replaces control characters, characters that move or hide the text around
// them (U+202E, U+2028) and invalid UTF-8 by '?'. Names of regions come from
// the program, and a report must not move the cursor.
std::string printable(std::string_view text);

// How many columns printable text takes on a terminal.
size_t columns(std::string_view text);

// At most `width` columns.  The middle of a longer text becomes "..", because
// names usually differ at their ends.  REQUIRES: printable text.
std::string shortened(const std::string& text, size_t width);

// Padded to `width` columns: left() on the right, right() on the left.
std::string left(const std::string& text, size_t width, char fill = ' ');
std::string right(const std::string& text, size_t width);

// `text` broken at blanks into lines of at most `width` columns.  The first
// line begins with `first`, the others with as many blanks.
std::string wrapped(std::string_view first, std::string_view text,
                    size_t width = kReportWidth);

// A text as a field of a CSV file (RFC 4180): printable and not a formula.  A
// text that begins with =, +, - or @ gets an apostrophe in front.
std::string csv_field(const std::string& raw);
// A number as one, with all its digits; empty if it is not finite.
std::string csv_number(double value);

// "1 rank", "2 ranks", "2 processes".
std::string counted(int64_t count, std::string_view noun);

// All items: "a", "a and b", "a, b and c"; empty for none.
std::string listed(const std::vector<std::string>& items);

// The first `most` of the items: "a, b", "a, b and 3 more", with a noun "a, b
// and 3 hosts more"; items with commas get another separator: "a; b; and 3
// more".
std::string some_of(const std::vector<std::string>& items, size_t most,
                    std::string_view separator = ", ",
                    std::string_view noun = "");

}  // namespace poprt

#endif  // POPRT_DOCUMENT_FORMAT_H_
