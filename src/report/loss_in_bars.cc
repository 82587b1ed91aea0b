#include "report/loss_in_bars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "document/format.h"
#include "model/state_parts.h"
#include "report/core_time.h"

namespace poprt {
namespace {

constexpr size_t kMostBars = 3;  // in a sentence

// As the bars show it.
double shown_share(const Bar& bar) { return bar.tenths / 1000.0; }

bool is_useful(const Bar& bar) {
  return bar.key == entry_of(State::kUseful).colour;
}

// Whose loss the time in a bar can be: kProgram of those that were not there,
// who are missed by the others.  TALP counts by what a thread does, not by what
// it waits for.
EventLayer lost_by(const Bar& bar, Model model) {
  for (const StatePart& part : kStateParts) {
    if (bar.key != part.key) continue;
    return part.lost_by && model != Model::kTalp ? *part.lost_by
                                                 : entry_of(part.state).layer;
  }
  for (const StateEntry& state : kStateTable) {
    if (bar.key == state.colour) return state.layer;
  }
  return EventLayer::kProgram;
}

// A process that is not there is a loss at process level.
bool can_have(const Metric& metric, const Bar& bar) {
  if (is_useful(bar)) return false;
  if (!is_of_program(metric.layer)) return true;
  const EventLayer layer = lost_by(bar, metric.model);
  // A part of the state is not that of another row.
  if (bar.key.starts_with("accelerator_") && metric.model == Model::kAdditive &&
      metric.depth > 1) {
    return std::string_view(metric.key).starts_with(bar.key);
  }
  return layer == event_layer(metric.layer) ||
         (layer == EventLayer::kProgram && metric.layer == Layer::kMpi);
}

std::string in_words(const Bar& bar) {
  return fmt::format("{} ({} %)", bar.label, percent(shown_share(bar)));
}

// The largest first.
std::vector<Bar> sorted(std::vector<Bar> bars) {
  std::ranges::sort(bars, [](const Bar& a, const Bar& b) {
    return a.tenths != b.tenths ? a.tenths > b.tenths : a.key < b.key;
  });
  return bars;
}

// Of the core time, by the bars.
struct MpiInBars {
  double waiting = 0;
  double transfer = 0;  // and MPI-IO
};

// Nothing where threads may be why, or parts are not known.
MpiInBars mpi_in_bars(const JobReport& report, const Metric& metric) {
  MpiInBars parts;
  if (metric.layer != Layer::kMpi ||
      report.totals.threads != report.totals.processes) {
    return parts;
  }
  for (const Bar& bar : core_time_bars(report).bars) {
    if (bar.key == "mpi_waiting") parts.waiting += shown_share(bar);
    if (bar.key == "mpi_transfer" || bar.key == "mpi_io") {
      parts.transfer += shown_share(bar);
    }
  }
  return parts;
}

constexpr double kMuchOfLoss = 0.5;  // of a loss

bool differ_much(double model, double same, double other) {
  return same < kMuchOfLoss * model && other >= kMuchOfLoss * model;
}

}  // namespace

bool only_bars_wait(const JobReport& report, const Metric& metric) {
  const MpiInBars parts = mpi_in_bars(report, metric);
  return metric.key == std::string_view("mpi_transfer_efficiency") &&
         differ_much(metric.value(global_region(report)->losses),
                     parts.transfer, parts.waiting);
}

bool only_model_waits(const JobReport& report, const Metric& metric) {
  double lost = 0;
  bool waits = false;
  for (const Metric& each : metrics_in(metric.model)) {
    const std::string_view key = each.key;
    if (key != "mpi_load_balance" && key != "mpi_serialisation_efficiency") {
      continue;
    }
    lost += each.value(global_region(report)->losses);
    waits = waits || each == metric;
  }
  const MpiInBars parts = mpi_in_bars(report, metric);
  return waits && differ_much(lost, parts.waiting, parts.transfer);
}

std::string loss_in_bars(const JobReport& report, const Metric& metric) {
  constexpr double kLittle = 0.1;  // of the loss
  const RegionReport* const global = global_region(report);
  const double lost = metric.value(global->losses);
  std::vector<std::string> names;
  double sum = 0;
  for (const Bar& bar : sorted(core_time_bars(report).bars)) {
    if (!can_have(metric, bar)) continue;
    sum += shown_share(bar);
    if (names.size() < kMostBars && shown_share(bar) >= kLittle * lost) {
      names.push_back(in_words(bar));
    }
  }
  if (names.empty()) return "";
  const bool is_whole = sum + kLeastShown >= lost;
  const bool is_all_of_it = names.size() == 1 && percent(sum) == percent(lost);
  return fmt::format("In the bars {} is {}{}{}.", short_label(metric),
                     is_whole && !is_all_of_it ? "part of " : "", listed(names),
                     is_whole ? "" : "; the rest is among the others");
}

std::string lost_bars(const JobReport& report) {
  std::vector<std::string> names;
  for (const Bar& bar : sorted(core_time_bars(report).bars)) {
    if (names.size() < kMostBars && !is_useful(bar) && bar.tenths > 0) {
      names.push_back(in_words(bar));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace poprt
