// What /proc/cpuinfo says of the processor.
#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "counter_table/counter_table.h"

namespace poprt {
namespace {

// The value of the first line "key : value"; empty if there is none.
std::string_view value_in(std::string_view cpuinfo, std::string_view key) {
  for (size_t begin = 0; begin < cpuinfo.size();) {
    const size_t end = std::min(cpuinfo.find('\n', begin), cpuinfo.size());
    std::string_view line = cpuinfo.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const size_t colon = line.find_first_not_of(" \t");
    if (colon == std::string_view::npos || line[colon] != ':') continue;
    line.remove_prefix(colon + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }
  return {};
}

// Decimal, or hexadecimal behind 0x; -1 for anything else.
int64_t number_in(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  int64_t number = -1;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, is_hex ? 16 : 10);
  return read.ec == std::errc() && read.ptr == end ? number : -1;
}

}  // namespace

Processor processor_in(std::string_view cpuinfo) {
  const std::string_view implementer = value_in(cpuinfo, "CPU implementer");
  if (!implementer.empty()) {
    return {std::string(implementer), -1,
            number_in(value_in(cpuinfo, "CPU part"))};
  }
  return {std::string(value_in(cpuinfo, "vendor_id")),
          number_in(value_in(cpuinfo, "cpu family")),
          number_in(value_in(cpuinfo, "model"))};
}

std::string name_of(const Processor& processor) {
  std::string name =
      processor.vendor.empty() ? "unknown vendor" : processor.vendor;
  if (processor.family >= 0) {
    name += " family " + std::to_string(processor.family);
  }
  if (processor.model >= 0) {
    name += " model " + std::to_string(processor.model);
  }
  return name;
}

}  // namespace poprt
