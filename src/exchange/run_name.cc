#include "exchange/run_name.h"

#include "document/format.h"

namespace poprt {

std::string file_name_of(const RunContext& context) {
  constexpr size_t kLongest = 100;
  std::string name = shortened(printable(context.program), kLongest);
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  if (name.empty()) return "run";
  if (name.front() == '.') name.front() = '_';
  return name;
}

}  // namespace poprt
