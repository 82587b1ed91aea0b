#include "report/largest_loss.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "document/format.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "model/state_parts.h"
#include "report/core_time.h"
#include "report/devices.h"
#include "report/incomplete.h"
#include "report/table.h"

namespace poprt {
namespace {

// Above this share of the time in MPI, the finding is about MPI-IO.
constexpr double kMostly = 0.5;

// The largest loss among the rows that name a cause, of all layers or of one
// layer. nullopt if no loss is known.
std::optional<Loss> largest_of(bool all_layers, const JobReport& report,
                               const RegionReport& region) {
  std::optional<Loss> largest;
  double most = 0;
  for (const Metric& metric :
       shown_metrics(report, usual_models(report).front())) {
    const bool is_candidate =
        metric.cause != nullptr && (metric.layer == Layer::kAny) == all_layers;
    if (!is_candidate) continue;
    const double loss = metric.value(region.losses);
    if (!(loss > most) || std::isnan(metric.value(region.metrics))) continue;
    largest = {metric, metric.cause, std::nullopt};
    most = loss;
  }
  return largest;
}

// For a loss in MPI: how much of it may be MPI-IO.
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
  // One process that reads or writes can make all others wait.
  const auto io_ns = static_cast<double>(amount(r, kMpiIo));
  const double lost =
      metric.value(region.losses) * static_cast<double>(r.all_ns);
  if (!is_mpi_itself(metric) || io_ns < kMostly * lost) return meaning;
  const bool is_more = io_ns > state_parts::mpi_transfer(r) - io_ns;
  return fmt::format(
      "{}; {} % of the time in MPI is MPI-IO, for which the others may wait",
      is_more ? "time goes into reading and writing files" : meaning,
      percent(io));
}

// For a loss in OpenMP: whether most of it is waits for locks. For one in MPI:
// whether most of it is inside parallel regions.
std::string inside_meaning(const RegionReport& region, const Metric& metric,
                           const std::string& meaning) {
  const RegionTotals& r = region.totals;
  if (metric.layer == Layer::kOpenMp && is_mostly_serialised(r)) {
    return fmt::format(
        "threads wait for locks, in critical or ordered regions or for "
        "dependences, which is {} % of what parallel regions lose",
        percent(serialised_share(r)));
  }
  const auto inside = static_cast<double>(amount(r, kMpiInside));
  const double share = ratio(inside, static_cast<double>(r.mpi_sum_ns));
  if (metric.layer == Layer::kMpi && share >= kMostly) {
    return fmt::format("{}; {} % of the time in MPI is inside parallel regions",
                       meaning, percent(share));
  }
  return meaning;
}

// For a loss by unequal work of threads: whether most of it is outside of
// parallel regions, where another distribution of their work changes nothing.
std::string serial_meaning(const RegionReport& region, const Metric& metric,
                           const std::string& meaning) {
  if (metric.key != std::string_view("openmp_load_balance") ||
      is_mostly_serialised(region.totals)) {
    return meaning;
  }
  const auto core = static_cast<double>(core_ns(region.totals));
  const double lost = metric.value(region.losses);
  const double outside = state_parts::openmp_serial(region.totals) / core -
                         layer_times(region).idle_during_mpi;
  const double inside = state_parts::openmp_imbalance(region.totals) / core;
  if (outside >= inside && outside >= kMostly * lost) {
    return "threads are idle outside of parallel regions, where only one works";
  }
  return inside >= kMostly * lost
             ? "some threads have more work than others in parallel regions"
             : meaning;
}

// For a loss by unequal work of processes on several nodes: whether most of it
// is inside nodes or between them.
std::string node_meaning(const JobReport& report, const RegionReport& region,
                         const Metric& metric, const std::string& meaning) {
  const double loss = metric.value(region.losses);
  for (const Metric& part : shown_metrics(report, metric.model)) {
    const std::string_view key = part.key;
    if (!key.starts_with(metric.key)) continue;
    if (part.value(region.losses) < kMostly * loss) continue;
    if (key.ends_with("load_balance_in"))
      return meaning + ", mostly inside nodes";
    if (key.ends_with("load_balance_out")) {
      return meaning + ", mostly between nodes";
    }
  }
  return meaning;
}

// For TALP's row that contains threads without work: most of them may wait for
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
  return region.mpi_sum_ns > 0 ? static_cast<double>(amount(region, kMpiIo)) /
                                     static_cast<double>(region.mpi_sum_ns)
                               : 0;
}

bool is_mostly_io(const RegionTotals& region) {
  return io_share(region) >= kMostly;
}

double serialised_share(const RegionTotals& region) {
  const int64_t lost =
      region.openmp_weighted_ns - (region.useful_sum_ns - region.serial_sum_ns);
  return lost > 0 ? static_cast<double>(amount(region, kOpenMpSerialised)) /
                        static_cast<double>(lost)
                  : 0;
}

bool is_mostly_serialised(const RegionTotals& region) {
  return serialised_share(region) >= kMostly;
}

bool is_mpi_itself(const Metric& metric) {
  return metric.key == std::string_view("mpi_transfer_efficiency") ||
         metric.key == std::string_view("mpi_communication_efficiency");
}

namespace {

// Where most of a loss by transfer is calls whose partner's clock is not known,
// it is one by communication: they may as well have waited.
Loss with_unknown_clocks(const JobReport& report, const RegionReport& region,
                         Loss loss) {
  const std::string_view key = loss.metric.key;
  const double unknown =
      ratio(static_cast<double>(amount(region.totals, kMpiUnknown)),
            static_cast<double>(core_ns(region.totals)));
  if (!key.ends_with("transfer_efficiency") ||
      loss.metric.layer != Layer::kMpi ||
      !(unknown >= kMostly * loss.metric.value(region.losses))) {
    return loss;
  }
  for (const Metric& metric : shown_metrics(report, loss.metric.model)) {
    if (metric.key != std::string_view("mpi_communication_efficiency"))
      continue;
    return {metric,
            fmt::format("whether calls waited or moved data is not known for "
                        "{} % of the core time, because clocks did not come",
                        percent(unknown)),
            std::nullopt};
  }
  return loss;
}

std::optional<Loss> explained_loss(const JobReport& report,
                                   const RegionReport& region) {
  std::optional<Loss> loss = largest_of(/*all_layers=*/false, report, region);
  if (!loss) return loss;
  if (const auto denial = denial_of(report, region, loss->metric)) {
    const Metric both = row_of_both_layers(loss->metric);
    loss = largest_of(/*all_layers=*/true, report, region);
    if (loss && loss->metric.key == std::string_view(both.key)) {
      loss->denial = denial;
    }
    return loss;
  }
  loss->meaning = io_meaning(region, loss->metric, loss->meaning);
  loss->meaning = inside_meaning(region, loss->metric, loss->meaning);
  loss->meaning = serial_meaning(region, loss->metric, loss->meaning);
  if (report.totals.hosts.size() > 1) {
    loss->meaning = node_meaning(report, region, loss->metric, loss->meaning);
  }
  loss->meaning = idle_meaning(report, region, loss->metric, loss->meaning);
  return with_unknown_clocks(report, region, *loss);
}

}  // namespace

bool is_mostly_not_known(const JobReport& report, const RegionReport& region) {
  if (!is_incomplete(report.context)) return false;
  const auto loss = explained_loss(report, region);
  return loss && layer_times(region).absent >=
                     kMostly * loss->metric.value(region.losses);
}

std::optional<Loss> largest_loss(const JobReport& report,
                                 const RegionReport& region) {
  auto loss = explained_loss(report, region);
  if (!loss || is_mostly_not_known(report, region)) return std::nullopt;
  const double of_job = share_of_job(report, core_ns(region.totals)) *
                        loss->metric.value(region.losses);
  return is_above_devices(report, of_job) ? loss : std::nullopt;
}

}  // namespace poprt
