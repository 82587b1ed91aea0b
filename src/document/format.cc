#include "document/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document/unicode.h"

namespace poprt {
namespace {

// Tenths of a per cent, as percent() shows them.
int64_t tenths(double value) {
  // A damaged run file may contain any ratio.  Beyond this limit no digit
  // matters.
  value = std::clamp(value, -1e12, 1e12);
  const int64_t rounded = std::llround(value * 1000);
  return value < 0.9995 ? std::min<int64_t>(rounded, 999) : rounded;
}

// Calls `visit(character, columns)` for each character until it returns false.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const size_t length = std::max<size_t>(character.length, 1);
    const size_t width = character.length == 0 ? 1 : columns_of(character.code);
    if (!visit(text.substr(0, length), width)) return;
    text.remove_prefix(length);
  }
}

// The longest beginning of printable text that fits into `width` columns.
std::string_view head(std::string_view text, size_t width) {
  size_t column = 0;
  size_t end = 0;
  for_each_character(text, [&](std::string_view character, size_t wide) {
    if (column + wide > width) return false;
    column += wide;
    end += character.size();
    return true;
  });
  return text.substr(0, end);
}

// The longest end that fits.  It does not begin with a mark that belongs to the
// character before.
std::string_view tail(std::string_view text, size_t width) {
  size_t left = columns(text);
  size_t begin = 0;
  for_each_character(text, [&](std::string_view character, size_t wide) {
    if (left <= width && wide > 0) return false;
    left -= wide;
    begin += character.size();
    return true;
  });
  return text.substr(begin);
}

}  // namespace

std::string percent(double value) {
  const int64_t shown = tenths(value);
  return fmt::format("{}{}.{}", shown < 0 ? "-" : "", std::abs(shown) / 10,
                     std::abs(shown) % 10);
}

const char* key_of(Grade grade) {
  switch (grade) {
    case Grade::kNone:
      return "";
    case Grade::kGood:
      return "good";
    case Grade::kAttention:
      return "attention";
    case Grade::kPoor:
      return "poor";
    case Grade::kBetter:
      return "better";
  }
  return "";
}

Grade grade_of(double value, const Thresholds& thresholds) {
  const int64_t shown = tenths(value);
  if (shown < tenths(thresholds.poor)) return Grade::kPoor;
  return shown < tenths(thresholds.good) ? Grade::kAttention : Grade::kGood;
}

std::string four_digits(double value) {
  const int decimals = value < 9.9995   ? 3
                       : value < 99.995 ? 2
                       : value < 999.95 ? 1
                                        : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string with_prefix(double count) {
  if (count < 9999.5) return fmt::format("{:.0f}", count);
  const char* prefix = "kMGTPE";
  for (count /= 1e3; count >= 999.95 && prefix[1] != '\0'; ++prefix) {
    count /= 1e3;
  }
  return four_digits(count) + " " + *prefix;
}

TimeUnit unit_for(double ns) {
  constexpr TimeUnit kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}};
  for (const TimeUnit& unit : kUnits) {
    // 999.95 and more would be rounded to "1000".
    if (ns / unit.ns < 999.95) return unit;
  }
  return {"s", 1e9};
}

std::string duration(int64_t ns) {
  if (ns < 0) return "-" + duration(ns == INT64_MIN ? INT64_MAX : -ns);
  if (ns < 1000) return fmt::format("{} ns", ns);
  const TimeUnit unit = unit_for(static_cast<double>(ns));
  return four_digits(static_cast<double>(ns) / unit.ns) + " " + unit.name;
}

size_t columns(std::string_view text) {
  size_t sum = 0;
  for_each_character(text, [&](std::string_view, size_t wide) {
    sum += wide;
    return true;
  });
  return sum;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.length == 0 || is_unprintable(character.code)) {
      result += '?';
    } else {
      result += text.substr(0, character.length);
    }
    text.remove_prefix(std::max<size_t>(character.length, 1));
  }
  return result;
}

std::string shortened(const std::string& text, size_t width) {
  if (columns(text) <= width) return text;
  if (width < 4) return std::string(head(text, width));
  const size_t end = (width - 2) / 2;
  return fmt::format("{}..{}", head(text, width - 2 - end), tail(text, end));
}

std::string left(const std::string& text, size_t width, char fill) {
  const size_t have = columns(text);
  return have < width ? text + std::string(width - have, fill) : text;
}

std::string right(const std::string& text, size_t width) {
  const size_t have = columns(text);
  return have < width ? std::string(width - have, ' ') + text : text;
}

std::string wrapped(std::string_view first, std::string_view text,
                    size_t width) {
  std::string result;
  std::string line(first);
  bool empty = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!empty && columns(line) + 1 + columns(word) > width) {
      result += line + '\n';
      line.assign(columns(first), ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  return result + line + '\n';
}

std::string csv_field(const std::string& raw) {
  std::string text = printable(raw);
  // Spreadsheets take these for a formula.  They do not show the apostrophe.
  if (text.size() > 1 &&
      std::string_view("=+-@").find(text[0]) != std::string_view::npos) {
    text.insert(0, 1, '\'');
  }
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string counted(int64_t count, std::string_view noun) {
  const char* const plural = noun.back() == 's' ? "es" : "s";
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

std::string listed(const std::vector<std::string>& items) {
  std::string list;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) list += i + 1 == items.size() ? " and " : ", ";
    list += items[i];
  }
  return list;
}

std::string some_of(const std::vector<std::string>& items, size_t most,
                    std::string_view separator, std::string_view noun) {
  std::string list;
  for (size_t i = 0; i < std::min(items.size(), most); ++i) {
    if (i > 0) list += separator;
    list += items[i];
  }
  if (items.size() <= most) return list;
  const size_t rest = items.size() - most;
  return fmt::format("{}{}and {} more", list,
                     separator == ", " ? " " : separator,
                     noun.empty() ? fmt::to_string(rest)
                                  : counted(static_cast<int64_t>(rest), noun));
}

}  // namespace poprt
