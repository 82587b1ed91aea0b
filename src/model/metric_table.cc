#include "model/metric_table.h"

#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace poprt {
namespace {

template <auto kModel, auto kMember>
double value(const Metrics& metrics) {
  return metrics.*kModel.*kMember;
}

template <auto kMember>
constexpr auto pop = value<&Metrics::pop, kMember>;
template <auto kMember>
constexpr auto critical_path = value<&Metrics::critical_path, kMember>;
template <auto kMember>
constexpr auto multiplicative = value<&Metrics::multiplicative, kMember>;
template <auto kMember>
constexpr auto additive = value<&Metrics::additive, kMember>;
template <auto kMember>
constexpr auto talp = value<&Metrics::talp, kMember>;

constexpr Metric kMetrics[] = {
    {Model::kPop, "parallel_efficiency", "Parallel Efficiency", 0, Layer::kAny,
     pop<&PopMetrics::parallel_efficiency>},
    {Model::kPop, "load_balance", "Load Balance", 1, Layer::kAny,
     pop<&PopMetrics::load_balance>},
    {Model::kPop, "communication_efficiency", "Communication Efficiency", 1,
     Layer::kAny, pop<&PopMetrics::communication_efficiency>},
    {Model::kPop, "serialisation_efficiency", "Serialisation Efficiency", 2,
     Layer::kAny, pop<&PopMetrics::serialisation_efficiency>},
    {Model::kPop, "transfer_efficiency", "Transfer Efficiency", 2, Layer::kAny,
     pop<&PopMetrics::transfer_efficiency>},
    {Model::kCriticalPath, "parallel_efficiency", "Parallel Efficiency", 0,
     Layer::kAny, critical_path<&CriticalPathMetrics::parallel_efficiency>},
    {Model::kCriticalPath, "load_balance", "Load Balance", 1, Layer::kAny,
     critical_path<&CriticalPathMetrics::load_balance>},
    {Model::kCriticalPath, "communication_efficiency",
     "Communication Efficiency", 1, Layer::kAny,
     critical_path<&CriticalPathMetrics::communication_efficiency>},
    {Model::kCriticalPath, "serialisation_efficiency",
     "Serialisation Efficiency", 2, Layer::kAny,
     critical_path<&CriticalPathMetrics::serialisation_efficiency>},
    {Model::kCriticalPath, "transfer_efficiency", "Transfer Efficiency", 2,
     Layer::kAny, critical_path<&CriticalPathMetrics::transfer_efficiency>},
    {Model::kCriticalPath, "mpi_parallel_efficiency", "MPI Parallel Efficiency",
     1, Layer::kMpi,
     critical_path<&CriticalPathMetrics::mpi_parallel_efficiency>},
    {Model::kCriticalPath, "mpi_load_balance", "MPI Load Balance", 2,
     Layer::kMpi, critical_path<&CriticalPathMetrics::mpi_load_balance>},
    {Model::kCriticalPath, "mpi_communication_efficiency",
     "MPI Communication Efficiency", 2, Layer::kMpi,
     critical_path<&CriticalPathMetrics::mpi_communication_efficiency>},
    {Model::kCriticalPath, "mpi_serialisation_efficiency",
     "MPI Serialisation Efficiency", 3, Layer::kMpi,
     critical_path<&CriticalPathMetrics::mpi_serialisation_efficiency>},
    {Model::kCriticalPath, "mpi_transfer_efficiency", "MPI Transfer Efficiency",
     3, Layer::kMpi,
     critical_path<&CriticalPathMetrics::mpi_transfer_efficiency>},
    {Model::kCriticalPath, "openmp_parallel_efficiency",
     "OpenMP Parallel Efficiency", 1, Layer::kOpenMp,
     critical_path<&CriticalPathMetrics::openmp_parallel_efficiency>},
    {Model::kCriticalPath, "openmp_load_balance", "OpenMP Load Balance", 2,
     Layer::kOpenMp, critical_path<&CriticalPathMetrics::openmp_load_balance>},
    {Model::kCriticalPath, "openmp_communication_efficiency",
     "OpenMP Communication Efficiency", 2, Layer::kOpenMp,
     critical_path<&CriticalPathMetrics::openmp_communication_efficiency>},
    {Model::kCriticalPath, "openmp_serialisation_efficiency",
     "OpenMP Serialisation Efficiency", 3, Layer::kOpenMp,
     critical_path<&CriticalPathMetrics::openmp_serialisation_efficiency>},
    {Model::kCriticalPath, "openmp_transfer_efficiency",
     "OpenMP Transfer Efficiency", 3, Layer::kOpenMp,
     critical_path<&CriticalPathMetrics::openmp_transfer_efficiency>},
    {Model::kMultiplicative, "parallel_efficiency", "Parallel Efficiency", 0,
     Layer::kAny, multiplicative<&MultiplicativeMetrics::parallel_efficiency>},
    {Model::kMultiplicative, "load_balance", "Load Balance", 1, Layer::kAny,
     multiplicative<&MultiplicativeMetrics::load_balance>},
    {Model::kMultiplicative, "communication_efficiency",
     "Communication Efficiency", 1, Layer::kAny,
     multiplicative<&MultiplicativeMetrics::communication_efficiency>},
    {Model::kMultiplicative, "mpi_parallel_efficiency",
     "MPI Parallel Efficiency", 1, Layer::kMpi,
     multiplicative<&MultiplicativeMetrics::mpi_parallel_efficiency>},
    {Model::kMultiplicative, "mpi_load_balance", "MPI Load Balance", 2,
     Layer::kMpi, multiplicative<&MultiplicativeMetrics::mpi_load_balance>},
    {Model::kMultiplicative, "mpi_communication_efficiency",
     "MPI Communication Efficiency", 2, Layer::kMpi,
     multiplicative<&MultiplicativeMetrics::mpi_communication_efficiency>},
    {Model::kMultiplicative, "mpi_serialisation_efficiency",
     "MPI Serialisation Efficiency", 3, Layer::kMpi,
     multiplicative<&MultiplicativeMetrics::mpi_serialisation_efficiency>},
    {Model::kMultiplicative, "mpi_transfer_efficiency",
     "MPI Transfer Efficiency", 3, Layer::kMpi,
     multiplicative<&MultiplicativeMetrics::mpi_transfer_efficiency>},
    {Model::kMultiplicative, "openmp_parallel_efficiency",
     "OpenMP Parallel Efficiency", 1, Layer::kOpenMp,
     multiplicative<&MultiplicativeMetrics::openmp_parallel_efficiency>},
    {Model::kMultiplicative, "openmp_load_balance", "OpenMP Load Balance", 2,
     Layer::kOpenMp,
     multiplicative<&MultiplicativeMetrics::openmp_load_balance>},
    {Model::kMultiplicative, "openmp_communication_efficiency",
     "OpenMP Communication Efficiency", 2, Layer::kOpenMp,
     multiplicative<&MultiplicativeMetrics::openmp_communication_efficiency>},
    {Model::kAdditive, "parallel_efficiency", "Parallel Efficiency", 0,
     Layer::kAny, additive<&AdditiveMetrics::parallel_efficiency>},
    {Model::kAdditive, "process_efficiency", "Process Efficiency", 1,
     Layer::kMpi, additive<&AdditiveMetrics::process_efficiency>},
    {Model::kAdditive, "process_load_balance", "Process Load Balance", 2,
     Layer::kMpi, additive<&AdditiveMetrics::process_load_balance>},
    {Model::kAdditive, "process_communication_efficiency",
     "Process Communication Efficiency", 2, Layer::kMpi,
     additive<&AdditiveMetrics::process_communication_efficiency>},
    {Model::kAdditive, "process_transfer_efficiency",
     "Process Transfer Efficiency", 3, Layer::kMpi,
     additive<&AdditiveMetrics::process_transfer_efficiency>},
    {Model::kAdditive, "process_serialisation_efficiency",
     "Process Serialisation Efficiency", 3, Layer::kMpi,
     additive<&AdditiveMetrics::process_serialisation_efficiency>},
    {Model::kAdditive, "thread_efficiency", "Thread Efficiency", 1,
     Layer::kOpenMp, additive<&AdditiveMetrics::thread_efficiency>},
    {Model::kAdditive, "openmp_region_efficiency", "OpenMP Region Efficiency",
     2, Layer::kOpenMp, additive<&AdditiveMetrics::openmp_region_efficiency>},
    {Model::kAdditive, "serial_region_efficiency", "Serial Region Efficiency",
     2, Layer::kOpenMp, additive<&AdditiveMetrics::serial_region_efficiency>},
    {Model::kTalp, "parallel_efficiency", "Parallel Efficiency", 0, Layer::kAny,
     talp<&TalpMetrics::parallel_efficiency>},
    {Model::kTalp, "mpi_parallel_efficiency", "MPI Parallel Efficiency", 1,
     Layer::kMpi, talp<&TalpMetrics::mpi_parallel_efficiency>},
    {Model::kTalp, "mpi_communication_efficiency",
     "MPI Communication Efficiency", 2, Layer::kMpi,
     talp<&TalpMetrics::mpi_communication_efficiency>},
    {Model::kTalp, "mpi_load_balance", "MPI Load Balance", 2, Layer::kMpi,
     talp<&TalpMetrics::mpi_load_balance>},
    {Model::kTalp, "mpi_load_balance_in", "MPI Load Balance In", 3, Layer::kMpi,
     talp<&TalpMetrics::mpi_load_balance_in>},
    {Model::kTalp, "mpi_load_balance_out", "MPI Load Balance Out", 3,
     Layer::kMpi, talp<&TalpMetrics::mpi_load_balance_out>},
    {Model::kTalp, "openmp_parallel_efficiency", "OpenMP Parallel Efficiency",
     1, Layer::kOpenMp, talp<&TalpMetrics::openmp_parallel_efficiency>},
    {Model::kTalp, "openmp_serialization_efficiency",
     "OpenMP Serialization Efficiency", 2, Layer::kOpenMp,
     talp<&TalpMetrics::openmp_serialization_efficiency>},
    {Model::kTalp, "openmp_load_balance", "OpenMP Load Balance", 2,
     Layer::kOpenMp, talp<&TalpMetrics::openmp_load_balance>},
    {Model::kTalp, "openmp_scheduling_efficiency",
     "OpenMP Scheduling Efficiency", 2, Layer::kOpenMp,
     talp<&TalpMetrics::openmp_scheduling_efficiency>},
};

}  // namespace

const char* key_of(Model model) {
  switch (model) {
    case Model::kPop:
      return "pop";
    case Model::kCriticalPath:
      return "critical_path";
    case Model::kMultiplicative:
      return "multiplicative";
    case Model::kAdditive:
      return "additive";
    case Model::kTalp:
      return "talp";
  }
  return "";
}

bool is_meant(Model model, std::string_view word) {
  constexpr std::pair<std::string_view, Model> kShort[] = {
      {"critpath", Model::kCriticalPath},
      {"mult", Model::kMultiplicative},
      {"add", Model::kAdditive}};
  if (word == key_of(model) || word == "all") return true;
  for (const auto& [name, meant] : kShort) {
    if (word == name && model == meant) return true;
  }
  return false;
}

const char* label_of(Model model) {
  switch (model) {
    case Model::kPop:
      return "POP";
    case Model::kCriticalPath:
      return "Hybrid, critical path";
    case Model::kMultiplicative:
      return "Hybrid, multiplicative";
    case Model::kAdditive:
      return "Hybrid, additive";
    case Model::kTalp:
      return "TALP";
  }
  return "";
}

bool in_range(double value) { return value > -0.0005 && value < 1.0005; }

Range range_of(const Metric& metric, double value) {
  if (!std::isfinite(value) || in_range(value)) return Range::kInside;
  if (value < 0) return Range::kMistake;
  if (metric.model == Model::kMultiplicative &&
      metric.layer == Layer::kOpenMp) {
    return Range::kCompensation;
  }
  if (metric.model == Model::kTalp && metric.layer == Layer::kMpi) {
    return Range::kUnequalVisits;
  }
  const std::string_view key = metric.key;
  if (metric.model == Model::kAdditive &&
      (key == "thread_efficiency" || key == "openmp_region_efficiency")) {
    return Range::kOtherThreads;
  }
  return Range::kMistake;
}

const char* reason_of(Range range) {
  switch (range) {
    case Range::kCompensation:
      return "may exceed 100 %: it is what MPI does not explain, and the "
             "threads make up for some of what MPI lost";
    case Range::kUnequalVisits:
      return "above 100 %: processes spent unequal time in the region";
    case Range::kOtherThreads:
      return "out of range: threads were at work outside the primary thread's "
             "parallel regions, where the model has none";
    default:
      return "cannot be below 0 or above 100 %: please report this with the "
             "run file";
  }
}

const Metric* metric_table(size_t* count) {
  *count = std::size(kMetrics);
  return kMetrics;
}

}  // namespace poprt
