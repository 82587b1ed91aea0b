#include "report/largest_loss.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "report/format.h"
#include "report/table.h"

namespace poprt {
namespace {

// From this part of the time in MPI on, MPI-IO is what it is about.
constexpr double kMostly = 0.5;

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
     "threads idle outside parallel regions, where only one has work"},
    {Model::kTalp, "openmp_load_balance",
     "some threads of a parallel region have more work than others"},
    {Model::kTalp, "openmp_scheduling_efficiency",
     "time goes into the OpenMP runtime: creating, scheduling, synchronising"},
};

// What is lost, where the models do not agree on the layer.
constexpr Cause kOfBothLayers[] = {
    {Model::kCriticalPath, "load_balance",
     "processes or threads have unequal work"},
    {Model::kCriticalPath, "serialisation_efficiency",
     "processes or threads wait for one another although their work is "
     "balanced over the run"},
    {Model::kCriticalPath, "transfer_efficiency",
     "time in MPI and in the OpenMP runtime that is no imbalance of work"},
};

// The metric of those that lost most in a region; nullopt where none lost
// anything that is known.
template <size_t kCount>
std::optional<Loss> largest_of(const Cause (&causes)[kCount],
                               const JobReport& report,
                               const RegionReport& region) {
  std::optional<Loss> largest;
  double most = 0;
  for (const Metric& metric :
       shown_metrics(report, usual_models(report).front())) {
    for (const Cause& cause : causes) {
      if (cause.model != metric.model || cause.key != metric.key) continue;
      const double loss = metric.value(region.losses);
      if (!(loss > most) || std::isnan(metric.value(region.metrics))) continue;
      largest = {metric, cause.meaning, std::nullopt};
      most = loss;
    }
  }
  return largest;
}

// Of a loss of MPI: how much of it may be MPI-IO.
std::string io_meaning(const RegionReport& region, const Metric& metric,
                       const std::string& meaning) {
  const RegionTotals& r = region.totals;
  const double io = io_share(r);
  if (metric.layer != Layer::kMpi || io < kLeastShown) return meaning;
  if (io >= kMostly) {
    return is_mpi_itself(metric)
               ? fmt::format(
                     "{} % of the time in MPI is MPI-IO, reading and writing "
                     "files",
                     percent(io))
               : fmt::format("{}; {} % of the time in MPI is MPI-IO", meaning,
                             percent(io));
  }
  // One process that reads or writes is enough to let all others wait.
  const double lost =
      metric.value(region.losses) * static_cast<double>(r.all_ns);
  if (!is_mpi_itself(metric) ||
      static_cast<double>(r.mpi_io_sum_ns) < kMostly * lost) {
    return meaning;
  }
  return fmt::format(
      "{}; {} % of the time in MPI is MPI-IO, for which the others may wait",
      meaning, percent(io));
}

// Of TALP's row that has the threads without work: most of them may wait for
// MPI.
std::string idle_meaning(const JobReport& report, const RegionReport& region,
                         const Metric& metric, const std::string& meaning) {
  const RegionTotals& r = region.totals;
  if (!report.totals.has_mpi ||
      metric.key != std::string_view("openmp_serialization_efficiency")) {
    return meaning;
  }
  return 2 * r.talp_mpi_worker_idle_ns < r.talp_omp_serial_ns
             ? meaning + " or its process is in MPI"
             : "threads idle while their process is in MPI (mpi_worker_idle)";
}

}  // namespace

double io_share(const RegionTotals& region) {
  return region.mpi_sum_ns > 0 ? static_cast<double>(region.mpi_io_sum_ns) /
                                     static_cast<double>(region.mpi_sum_ns)
                               : 0;
}

bool is_mostly_io(const RegionTotals& region) {
  return io_share(region) >= kMostly;
}

bool is_mpi_itself(const Metric& metric) {
  return metric.key == std::string_view("mpi_transfer_efficiency") ||
         metric.key == std::string_view("mpi_communication_efficiency");
}

std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region) {
  std::optional<Loss> loss = largest_of(kCauses, report, region);
  if (!loss) return loss;
  if (const auto denial = denial_of(report, region, loss->metric)) {
    const Metric both = row_of_both_layers(loss->metric);
    loss = largest_of(kOfBothLayers, report, region);
    if (loss && loss->metric.key == std::string_view(both.key)) {
      loss->denial = denial;
    }
    return loss;
  }
  loss->meaning = io_meaning(region, loss->metric, loss->meaning);
  loss->meaning = idle_meaning(report, region, loss->metric, loss->meaning);
  return loss;
}

}  // namespace poprt
