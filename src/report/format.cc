#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace poprt {
namespace {

// Tenths of a per cent, as percent() shows them.
int64_t tenths(double value) {
  // A damaged run file may hold any ratio; beyond this no digit matters.
  value = std::clamp(value, -1e12, 1e12);
  const int64_t rounded = std::llround(value * 1000);
  return value < 0.9995 ? std::min<int64_t>(rounded, 999) : rounded;
}

// Length of the UTF-8 sequence at the start of `text`, 0 where there is none.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const size_t length = byte(0) < 0x80   ? 1
                        : byte(0) < 0xc2 ? 0
                        : byte(0) < 0xe0 ? 2
                        : byte(0) < 0xf0 ? 3
                        : byte(0) < 0xf5 ? 4
                                         : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Columns of printable text: one per character.
size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return !continues(c); }));
}

// The part of printable text from column `from` to column `to`.
std::string_view slice(std::string_view text, size_t from, size_t to) {
  size_t begin = text.size();
  size_t end = text.size();
  size_t column = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (column == from) begin = i;
    if (column == to) end = i;
    ++column;
  }
  return text.substr(begin, end - begin);
}

}  // namespace

std::string percent(double value) {
  const int64_t shown = tenths(value);
  return fmt::format("{}{}.{}", shown < 0 ? "-" : "", std::abs(shown) / 10,
                     std::abs(shown) % 10);
}

std::string fraction(double value) {
  const int64_t shown = tenths(value);
  return fmt::format("{}{}.{:03}", shown < 0 ? "-" : "", std::abs(shown) / 1000,
                     std::abs(shown) % 1000);
}

char mark(double value, const Thresholds& thresholds) {
  const int64_t shown = tenths(value);
  if (shown < tenths(thresholds.poor)) return 'x';
  return shown < tenths(thresholds.good) ? '!' : ' ';
}

std::string four_digits(double value) {
  const int decimals = value < 9.9995   ? 3
                       : value < 99.995 ? 2
                       : value < 999.95 ? 1
                                        : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

TimeUnit unit_for(double ns) {
  constexpr TimeUnit kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}};
  for (const TimeUnit& unit : kUnits) {
    // From 999.95 on four digits would be "1000".
    if (ns / unit.ns < 999.95) return unit;
  }
  return {"s", 1e9};
}

std::string duration(int64_t ns) {
  if (ns < 1000) return fmt::format("{} ns", ns);
  const TimeUnit unit = unit_for(static_cast<double>(ns));
  return four_digits(static_cast<double>(ns) / unit.ns) + " " + unit.name;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    const bool control = text[0] == 0x7f || (text[0] >= 0 && text[0] < 0x20) ||
                         (length == 2 && text[0] == '\xc2' &&
                          static_cast<unsigned char>(text[1]) < 0xa0);
    if (length == 0 || control) {
      result += '?';
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

std::string shortened(const std::string& text, size_t width) {
  const size_t have = columns(text);
  if (have <= width) return text;
  if (width < 4) return std::string(slice(text, 0, width));
  const size_t tail = (width - 2) / 2;
  const size_t head = width - 2 - tail;
  return fmt::format("{}..{}", slice(text, 0, head),
                     slice(text, have - tail, have));
}

std::string left(const std::string& text, size_t width, char fill) {
  const size_t have = columns(text);
  return have < width ? text + std::string(width - have, fill) : text;
}

std::string right(const std::string& text, size_t width) {
  const size_t have = columns(text);
  return have < width ? std::string(width - have, ' ') + text : text;
}

std::string wrapped(std::string_view first, std::string_view text) {
  std::string result;
  std::string line(first);
  bool empty = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!empty && columns(line) + 1 + columns(word) > kReportWidth) {
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
  const std::string text = printable(raw);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string counted(int64_t count, std::string_view noun) {
  const char* const plural = noun.back() == 's' ? "es" : "s";
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : plural);
}

std::string more_in_run_file(size_t rows) {
  return rows == 0 ? "" : fmt::format(" and {} more in the run file\n", rows);
}

}  // namespace poprt
