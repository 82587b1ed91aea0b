#include "report/loss_in_bars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
    return part.is_for_mpi && model != Model::kTalp
               ? EventLayer::kMpi
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

}  // namespace

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
  std::string list = names.front();
  for (size_t i = 1; i < names.size(); ++i) {
    list += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  const bool is_whole = sum + kLeastShown >= lost;
  const bool is_all_of_it = names.size() == 1 && percent(sum) == percent(lost);
  return fmt::format("In the bars it is {}{}{}.",
                     is_whole && !is_all_of_it ? "part of " : "", list,
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
