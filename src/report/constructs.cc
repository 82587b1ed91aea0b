#include "report/constructs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/format.h"

namespace poprt {
namespace {

constexpr size_t kRows = 6;
constexpr size_t kNameWidth = 31;

std::string name_of(const ConstructReport& construct, const char* rest) {
  const std::string& location = construct.location;
  return left(
      shortened(printable(location.empty() ? rest : location), kNameWidth),
      kNameWidth);
}

std::string percent_or_dash(double value) {
  return std::isfinite(value) ? percent(value) : "-";
}

// The first ones of a kind; its rest comes with them only as a number.
std::vector<const ConstructReport*> first_of(const JobReport& report,
                                             bool tasks, size_t* more) {
  std::vector<const ConstructReport*> shown;
  *more = 0;
  for (const ConstructReport& construct : report.constructs) {
    if (construct.totals.is_task != tasks) continue;
    if (shown.size() < kRows) {
      shown.push_back(&construct);
    } else {
      ++*more;
    }
  }
  return shown;
}

}  // namespace

std::string parallel_region_ranking(const JobReport& report) {
  size_t more;
  const auto shown = first_of(report, false, &more);
  if (shown.empty()) return "";
  std::string text = left(" Parallel regions by cost", kNameWidth + 1) +
                     "   visits       time  useful    lost    LB Sched\n";
  const double processes =
      static_cast<double>(std::max<int64_t>(1, report.totals.processes));
  for (const ConstructReport* construct : shown) {
    const ConstructTotals& t = construct->totals;
    const auto time =
        static_cast<int64_t>(static_cast<double>(t.time_ns) / processes);
    text += " " + name_of(*construct, "other, and outside of them") +
            fmt::format("{:>9} {:>10} {:>7} {:>7} {:>5} {:>5}\n", t.visits,
                        t.time_ns == 0 ? "-" : duration(time),
                        percent_or_dash(construct->useful),
                        percent_or_dash(construct->contribution),
                        percent_or_dash(construct->load_balance),
                        percent_or_dash(construct->scheduling));
  }
  return text + more_in_run_file(more) +
         " (time: mean of a process; useful, LB, Sched: % of the region's core "
         "time;\n  lost: % of the job's, adds up to what OpenMP Region "
         "Efficiency lacks)\n";
}

std::string task_ranking(const JobReport& report) {
  size_t more;
  const auto shown = first_of(report, true, &more);
  const double core_ns = static_cast<double>(job_core_ns(report));
  if (shown.empty() || core_ns <= 0) return "";
  std::string text = left(" Tasks by useful time", kNameWidth + 1) +
                     "    tasks     useful  % of job       each\n";
  for (const ConstructReport* construct : shown) {
    const ConstructTotals& t = construct->totals;
    text += " " + name_of(*construct, "other") +
            fmt::format("{:>9} {:>10} {:>9} {:>10}\n", t.visits,
                        duration(t.useful_ns),
                        percent(static_cast<double>(t.useful_ns) / core_ns),
                        t.visits <= 0 ? "-" : duration(t.useful_ns / t.visits));
  }
  return text + more_in_run_file(more);
}

}  // namespace poprt
