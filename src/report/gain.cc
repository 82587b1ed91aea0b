#include "report/gain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/ratio.h"

namespace poprt {
namespace {

// How it was found, behind the number.
std::string words_of(const Gain& gain, bool has_accelerators) {
  using Basis = Gain::Basis;
  const auto shared = [&](const char* who) {
    return fmt::format(
        "as if {} always had the same work{}, and all else stayed", who,
        gain.regions == 0
            ? ""
            : fmt::format(" in each of {} regions", gain.regions));
  };
  switch (gain.basis) {
    case Basis::kEqualProcesses:
      return shared("all processes");
    case Basis::kEqualThreads:
      return shared("the threads of each process");
    case Basis::kEqualWork:
      return shared("all threads");
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
      return has_accelerators
                 ? "the longest path on which MPI, OpenMP and calls to "
                   "accelerators take no time"
                 : "the longest path on which MPI and OpenMP take no time";
  }
  return "";
}

const char* words_of(NoGain reason) {
  switch (reason) {
    case NoGain::kNotMeasured:
      return "not all that it is computed from was measured";
    case NoGain::kUncertain:
      return "too much time may belong anywhere (waits for a core, calls of "
             "which it is not known whether they waited)";
    case NoGain::kDependsOnOrder:
      return "some wait for the work of others in turn, and how much of that "
             "can be shared cannot be told";
    case NoGain::kAllOfTheRun:
      return "it is nearly all of the run, which bounds nothing";
  }
  return "";
}

}  // namespace

std::string gain_words(const Gain& gain, bool has_accelerators) {
  const double low = std::floor(100 * gain.low);
  const double high = std::ceil(100 * gain.high);
  if (gain.kind == Gain::Kind::kBound) {
    return fmt::format(
        "Fixing this loss would save at most {:.0f} % of the run time ({}).",
        high, words_of(gain, has_accelerators));
  }
  return fmt::format(
      "Fixing this loss would save about {:.0f} to {:.0f} % of the run time "
      "(estimated: {}).",
      low, high, words_of(gain, has_accelerators));
}

std::string gain_words(NoGain reason) {
  return fmt::format("How much fixing this loss would save is not known: {}.",
                     words_of(reason));
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
