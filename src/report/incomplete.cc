#include "report/incomplete.h"

#include <fmt/format.h>

#include "report/format.h"

namespace poprt {
namespace {

std::string measured(const EndedRanks& ended) {
  if (ended.measured_max_ns == 0) return "";
  const std::string least = duration(ended.measured_min_ns);
  const std::string most = duration(ended.measured_max_ns);
  return " (after " + (least == most ? most : least + " to " + most) + ")";
}

}  // namespace

std::string incomplete_note(const RunContext& context) {
  constexpr size_t kLongest = 40;  // of the numbers of ranks
  std::string line;
  for (const EndedRanks& ended : context.endings) {
    line += fmt::format("{}{} {} {}{}", line.empty() ? "" : "; ",
                        ended.processes == 1 ? "rank" : "ranks",
                        shortened(printable(ended.ranks), kLongest),
                        printable(ended.how), measured(ended));
  }
  if (line.empty()) return "";
  return "incomplete run, recovered from checkpoints: " + line +
         ". Times, counts and clocks are lower bounds; efficiencies are of the "
         "time until then.";
}

}  // namespace poprt
