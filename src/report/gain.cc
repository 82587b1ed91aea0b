#include "report/gain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/ratio.h"

namespace poprt {
namespace {

// How it was found, behind the number.
const char* words_of(Gain::Basis basis) {
  using Basis = Gain::Basis;
  switch (basis) {
    case Basis::kEqualProcesses:
      return "as if all processes had the same work, and all else stayed";
    case Basis::kEqualThreads:
      return "as if the threads of each process had the same work, and all "
             "else stayed";
    case Basis::kEqualWork:
      return "as if all threads had the same work, and all else stayed";
    case Basis::kNoProcessWaits:
      return "as if no process waited for another one before all is done";
    case Basis::kNoThreadWaits:
      return "as if no thread waited for the work of another one";
    case Basis::kNobodyWaits:
      return "as if nobody waited for another one before all is done";
    case Basis::kIdealMpi:
      return "the longest path on which MPI takes no time";
    case Basis::kIdealOpenMp:
      return "the longest path on which the OpenMP runtime takes no time";
    case Basis::kIdealRuntimes:
      return "the longest path on which MPI and OpenMP take no time";
  }
  return "";
}

}  // namespace

std::string gain_words(const Gain& gain) {
  const double low = std::floor(100 * gain.low);
  const double high = std::ceil(100 * gain.high);
  if (gain.kind == Gain::Kind::kBound) {
    return fmt::format(
        "Fixing this loss would save at most {:.0f} % of the run time ({}).",
        high, words_of(gain.basis));
  }
  return fmt::format(
      "Fixing this loss would save about {:.0f} to {:.0f} % of the run time "
      "(estimated: {}).",
      low, high, words_of(gain.basis));
}

double share_without(const JobReport& report, const RegionReport& region) {
  const LongestPath& path = report.totals.path;
  const auto without = std::ranges::find(path.without, region.totals.name,
                                         &WithoutRegion::region);
  return without == path.without.end() || path.length_ns <= 0
             ? kUndefined
             : 1 - static_cast<double>(without->run_ns) /
                       static_cast<double>(path.length_ns);
}

}  // namespace poprt
