// What costs most, in a sentence with this run's numbers.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "model/metric_table.h"
#include "report/findings.h"
#include "report/format.h"
#include "report/table.h"

namespace poprt {
namespace {

// A twentieth of the core time: below it there is no one cause worth naming.
constexpr double kHardlyLost = 0.05;

// A cause of lost time: at the bottom of a hierarchy.
struct Cause {
  Model model;
  std::string_view key;
  const char* meaning;
};

constexpr Cause kCauses[] = {
    {Model::kCriticalPath, "mpi_load_balance",
     "some processes have more work than others"},
    {Model::kCriticalPath, "mpi_serialisation_efficiency",
     "processes wait for one another although their work is balanced over "
     "the run"},
    {Model::kCriticalPath, "mpi_transfer_efficiency",
     "time goes into moving data and into MPI itself"},
    {Model::kCriticalPath, "openmp_load_balance",
     "some threads have more work than others, or only one has any"},
    {Model::kCriticalPath, "openmp_serialisation_efficiency",
     "threads wait for one another although their work is balanced over the "
     "run"},
    {Model::kCriticalPath, "openmp_transfer_efficiency",
     "time goes into the OpenMP runtime: creating, scheduling, synchronising"},
    {Model::kTalp, "mpi_communication_efficiency",
     "even the process with most work spends time in MPI"},
    {Model::kTalp, "mpi_load_balance",
     "some processes have more work than others"},
    {Model::kTalp, "openmp_serialization_efficiency",
     "threads idle outside parallel regions, where only one has work or its "
     "process is in MPI"},
    {Model::kTalp, "openmp_load_balance",
     "some threads of a parallel region have more work than others"},
    {Model::kTalp, "openmp_scheduling_efficiency",
     "time goes into the OpenMP runtime: creating, scheduling, synchronising"},
};

struct Loss {
  Metric metric;
  const char* meaning;
};

// The cause that lost most in a region; nullopt where no loss is known.
std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region) {
  std::optional<Loss> largest;
  double most = 0;
  for (const Metric& metric :
       shown_metrics(report, usual_models(report).front())) {
    for (const Cause& cause : kCauses) {
      if (cause.model != metric.model || cause.key != metric.key) continue;
      const double loss = metric.value(region.losses);
      if (std::isnan(loss) || (largest && loss <= most)) continue;
      largest = {metric, cause.meaning};
      most = loss;
    }
  }
  return largest;
}

// The label without the word that every row has.
std::string name_of(const Metric& metric) {
  constexpr std::string_view kWord = " Efficiency";
  std::string label = metric.label;
  if (label.ends_with(kWord)) label.resize(label.size() - kWord.size());
  return label;
}

}  // namespace

std::string main_finding(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr || job_core_ns(report) == 0) return "";
  const double useful = share_of_job(report, global->totals.useful_sum_ns);
  const bool all_seen =
      report.totals.has_openmp || !report.totals.has_unseen_openmp;
  std::string text = fmt::format("{} % of the {}core time was useful. ",
                                 percent(useful), all_seen ? "" : "measured ");
  if (1 - useful < kHardlyLost) {
    text +=
        "The largest gains now come from faster code on each core, or "
        "from more cores.";
    return wrapped(" Main finding  ", text);
  }
  if (const auto loss = largest_loss(report, *global)) {
    text += fmt::format(
        "The largest loss, {} %, is {} ({}): {}. ",
        percent(loss->metric.value(global->losses)), name_of(loss->metric),
        percent(loss->metric.value(global->metrics)), loss->meaning);
  }
  if (report.regions.size() > 1) {
    const RegionReport& region = report.regions[1];
    text +=
        fmt::format("Region {} lost most: {}, {} % of the job",
                    shortened(printable(region.totals.name), 40),
                    core_seconds(lost_core_ns(region.totals)),
                    percent(share_of_job(report, lost_core_ns(region.totals))));
    if (const auto local = largest_loss(report, region)) {
      text += fmt::format(", first of all to {} ({})", name_of(local->metric),
                          percent(local->metric.value(region.metrics)));
    }
    text += ".";
  }
  return wrapped(" Main finding  ", text);
}

std::string next_step(const JobReport& report, const std::string& run_file) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return "";
  const auto loss = largest_loss(report, *global);
  if (!loss) return "";
  return wrapped(" Try next      ",
                 fmt::format("poprt explain {} {}", loss->metric.key,
                             printable(run_file)));
}

}  // namespace poprt
