#include "model/metric_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "model/additive_model.h"
#include "model/computation_model.h"
#include "model/io_model.h"
#include "model/mpi_time_model.h"
#include "model/multiplicative_model.h"
#include "model/path_models.h"
#include "model/place_of.h"
#include "model/pop_model.h"
#include "model/talp_model.h"

namespace poprt {
namespace {

template <size_t... kSizes>
constexpr auto joined(const Metric (&... models)[kSizes]) {
  std::array<Metric, (kSizes + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(std::begin(models), std::end(models), next)), ...);
  return all;
}

constexpr auto kMetrics = joined(
    kPopModel, kCriticalPathModel, kMultiplicativeModel, kAdditiveModel,
    kTalpModel, kComputationModel, kIoModel, kMpiTimeModel, kWaitingModel);
static_assert(kMetrics.size() == kMetricCount,
              "each number of Metrics has one entry");

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
    case Model::kComputation:
      return "computation";
    case Model::kIo:
      return "io";
    case Model::kMpiTime:
      return "mpi_time";
    case Model::kWaiting:
      return "waiting";
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

std::string label_of(Model model, const std::string& layers) {
  switch (model) {
    case Model::kPop:
      return "POP";
    case Model::kCriticalPath:
      return layers + ", critical path";
    case Model::kMultiplicative:
      return layers + ", multiplicative";
    case Model::kAdditive:
      return layers + ", additive";
    case Model::kTalp:
      return "TALP";
    case Model::kComputation:
      return "Computation, in useful time";
    case Model::kIo:
      return "File I/O";
    case Model::kMpiTime:
      return "Time in MPI, % of core time";
    case Model::kWaiting:
      return layers + ", without MPI waiting";
  }
  return "";
}

bool in_range(double value) { return value > -0.0005 && value < 1.0005; }

Range range_of(const Metric& metric, double value) {
  const bool has_range = metric.is_efficiency();
  if (!has_range || !std::isfinite(value) || in_range(value)) {
    return Range::kInside;
  }
  return value < 0 ? Range::kMistake : metric.above;
}

const char* reason_of(Range range) {
  switch (range) {
    case Range::kCompensation:
      return "may exceed 100 %: it is what MPI does not explain, and the "
             "threads make up for some of what MPI lost";
    case Range::kOpenMpWaits:
      return "may exceed 100 %, and is no efficiency then: threads that wait "
             "in "
             "OpenMP for one that is in MPI are outside MPI";
    case Range::kUnequalVisits:
      return "above 100 %: processes spent unequal time in the region";
    case Range::kUnequalCalls:
      return "may exceed 100 %: it is what MPI does not explain, and processes "
             "are less equal in calls to accelerators than in their own code";
    case Range::kOtherThreads:
      return "out of range: threads were at work outside the primary thread's "
             "parallel regions, where the model has none";
    default:
      return "cannot be below 0 or above 100 %: please report this with the "
             "run file";
  }
}

std::string short_label(const Metric& metric) {
  constexpr std::string_view kWord = " Efficiency";
  std::string label = metric.label;
  if (label.ends_with(kWord)) label.resize(label.size() - kWord.size());
  return label;
}

double Metric::value(const Metrics& metrics) const {
  double result;
  std::memcpy(&result,
              reinterpret_cast<const char*>(&metrics) + place * sizeof result,
              sizeof result);
  return result;
}

std::span<const Metric> all_metrics() { return kMetrics; }

std::span<const Metric> metrics_in(Model model) {
  const auto is_in = [&](const Metric& each) { return each.model == model; };
  const auto* const begin =
      std::find_if(kMetrics.begin(), kMetrics.end(), is_in);
  return {begin, std::find_if_not(begin, kMetrics.end(), is_in)};
}

}  // namespace poprt
