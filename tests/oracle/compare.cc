#include "oracle/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "model/members.h"
#include "model/metric_table.h"
#include "model/metrics.h"
#include "model/quantities.h"
#include "oracle/expected.h"

namespace poprt::oracle {
namespace {

using MetricValues = std::array<double, sizeof(Metrics) / sizeof(double)>;

MetricValues values_of(const Metrics& metrics) {
  MetricValues values;
  static_assert(sizeof values == sizeof metrics);
  std::memcpy(values.data(), &metrics, sizeof metrics);
  return values;
}

bool is_com(int64_t RegionTotals::*member) {
  return member == &RegionTotals::com_ns || member == &RegionTotals::comp_ns;
}

// Whether a region begins or ends inside a parallel region.
bool changes_inside(const ProcessLine& process) {
  const auto inside = [&](int64_t ns) {
    return std::ranges::any_of(process.parallel, [&](const Instance& instance) {
      return instance.begin_ns <= ns && ns <= instance.end_ns;
    });
  };
  return std::ranges::any_of(process.visits, [&](const auto& visits) {
    return std::ranges::any_of(visits, [&](const Instance& visit) {
      return inside(visit.begin_ns) || (visit.ended && inside(visit.end_ns));
    });
  });
}

class Comparison {
 public:
  Comparison(const History& history, Replay& replay,
             const Strictness& strictness)
      : history_(history),
        replay_(replay),
        strictness_(strictness),
        graph_(history),
        com_is_exact_(std::ranges::none_of(graph_.processes, changes_inside)),
        job_(replay.totals()) {}

  std::string run() {
    if (job_.quality.closure_error_ns != 0) {
      differ<int64_t>("closure error", job_.quality.closure_error_ns, 0);
    }
    for (int r = 0; r < history_.regions; ++r) compare_region(r);
    if (replay_.process(0).path_choice().regions) compare_path();
    return text_;
  }

 private:
  template <class Value>
  void differ(const std::string& what, Value is, Value expected) {
    text_ += where_ + what + " is " + std::to_string(is) + ", not " +
             std::to_string(expected) + "\n";
  }
  // What a late clock across a region's edge leaves of COOW is not determined.
  bool compares_coow() const {
    return replay_.process(0).keeps_coow() && strictness_.global_clocks_exact;
  }
  void compare_region(int index);
  void compare_path();
  void compare_totals(const RegionTotals& is, const RegionTotals& expected);
  void compare_threads(int region, const std::vector<ProcessShare>& shares);
  void compare_metrics(const RegionTotals& is,
                       const std::vector<ProcessShare>& shares);

  const History& history_;
  Replay& replay_;
  const Strictness strictness_;
  const ExecutionGraph graph_;
  // Where regions are opened or closed while threads wait in OpenMP, what
  // follows the one that comes is not told apart exactly.
  const bool com_is_exact_;
  const JobTotals job_;
  std::string where_;
  std::string text_;
};

bool is_global_clock(int64_t RegionTotals::*member) {
  return member == &RegionTotals::cue_ns || member == &RegionTotals::com_ns ||
         member == &RegionTotals::comp_ns || member == &RegionTotals::coo_ns ||
         member == &RegionTotals::all_ns;
}

// Of what parallel regions lose: see expected.h.
bool is_source(const Quantity* quantity) {
  return quantity == &kOpenMpMpiInside || quantity == &kOpenMpSerialised ||
         quantity == &kOpenMpScheduling || quantity == &kOpenMpNotStarted ||
         quantity == &kOpenMpAcceleratorInside;
}

// No history calls accelerators.
int64_t amount_without_accelerators(const Quantity& quantity,
                                    const RegionTotals& is,
                                    const RegionTotals& expected) {
  if (&quantity == &kCallersOutsideBoth) return is.mpi_callers_outside_sum_ns;
  if (&quantity == &kCallersOutsideBothMax) {
    return is.mpi_callers_outside_max_ns;
  }
  return amount(expected, quantity);
}

bool is_divided(const std::string& name) {
  return name.rfind("talp_", 0) == 0 || name == "mpi_callers_outside_sum_ns";
}

void Comparison::compare_totals(const RegionTotals& is,
                                const RegionTotals& expected) {
  for (const Member<RegionTotals>& member : kRegionMembers) {
    if (member.value == &RegionTotals::in_full_tables) continue;
    if (member.value == &RegionTotals::coow_ns && !compares_coow()) continue;
    const int64_t value = is.*member.value;
    const int64_t wanted = expected.*member.value;
    if (value == wanted) continue;
    if (!strictness_.whole && is_divided(member.name) &&
        std::abs(value - wanted) <= expected.processes) {
      continue;
    }
    if (!strictness_.global_clocks_exact && is_global_clock(member.value) &&
        value < wanted) {
      continue;
    }
    if (!com_is_exact_ && is_com(member.value)) continue;
    differ(member.name, value, wanted);
  }
  for (const Quantity* quantity : kQuantities) {
    if (is_source(quantity)) continue;
    const bool needs_clocks =
        quantity == &kMpiWaiting || quantity == &kMpiTransfer;
    if (needs_clocks && !strictness_.global_clocks_exact) continue;
    const int64_t value = amount(is, *quantity);
    const int64_t wanted = amount_without_accelerators(*quantity, is, expected);
    if (value != wanted) differ(quantity->name, value, wanted);
  }
}

void Comparison::compare_threads(int region,
                                 const std::vector<ProcessShare>& shares) {
  const std::string name = region_name(region);
  const uint64_t key = text_hash(name.data(), name.size());
  const std::string where = where_;
  for (size_t p = 0; p < shares.size(); ++p) {
    const int process = static_cast<int>(p);
    const int slot = replay_.process(process).slot_of_key(key, 0);
    for (size_t t = 0; t < shares[p].lines.size(); ++t) {
      const Thread* const thread = replay_.thread(process, static_cast<int>(t));
      if (thread == nullptr || slot < 0) continue;
      const ThreadShare& expected = shares[p].lines[t];
      const ThreadRegion is =
          thread->region_at(slot, history_.processes[p].end_ns);
      where_ = where + "process " + std::to_string(p) + " thread " +
               std::to_string(t) + " ";
      const int64_t wanted[kStates] = {expected.useful_ns, expected.mpi_ns,
                                       expected.omp_ns};
      for (int s = 0; s < kStates; ++s) {
        const int64_t sum = is.time_ns[s] + is.time_ns[kStates + s];
        if (sum != wanted[s]) {
          differ("time in state " + std::to_string(s), sum, wanted[s]);
        }
      }
      const int64_t io =
          thread->amount_at(slot, replay_.process(process).account_of(kMpiIo),
                            history_.processes[p].end_ns);
      if (io != expected.mpi_io_ns) {
        differ("time in MPI-IO", io, expected.mpi_io_ns);
      }
      const int64_t clocks[kClocks] = {
          expected.clock_ns[1][0],
          expected.clock_ns[2][0],
          expected.clock_ns[2][1],
          expected.clock_ns[2][2],
          std::max(expected.coow_ns, expected.clock_ns[2][0]),
          expected.com.com_ns,
          expected.com.comp_ns};
      ThreadRegion measured = is;
      int64_t* const own = measured.clocks.ns;
      own[kGlobalCoow] = std::max(own[kGlobalCoow], own[kGlobalCue]);
      for (int i = 0; i < kClocks; ++i) {
        if (i == kGlobalCoow && !compares_coow()) continue;
        if (i >= kGlobalCom && !com_is_exact_) continue;
        const bool may_be_less =
            i != kProcessCue && !strictness_.global_clocks_exact;
        if (own[i] == clocks[i] || (may_be_less && own[i] < clocks[i])) {
          continue;
        }
        differ("clock " + std::to_string(i), own[i], clocks[i]);
      }
    }
  }
  where_ = where;
}

void Comparison::compare_metrics(const RegionTotals& is,
                                 const std::vector<ProcessShare>& shares) {
  const Metrics measured = metrics_of(is, Layers{});
  const MetricValues values = values_of(measured);
  Metrics expected = expected_metrics(shares);
  if (!keeps_coow(is)) expected.waiting = measured.waiting;
  for (double AdditiveMetrics::*source :
       {&AdditiveMetrics::openmp_region_load_balance,
        &AdditiveMetrics::openmp_region_serialisation_efficiency,
        &AdditiveMetrics::openmp_region_mpi_efficiency,
        &AdditiveMetrics::openmp_region_scheduling_efficiency,
        &AdditiveMetrics::openmp_region_start_efficiency,
        &AdditiveMetrics::openmp_region_accelerator_efficiency}) {
    expected.additive.*source = measured.additive.*source;
  }
  MetricValues wanted = values_of(expected);
  for (size_t i = 0; i < values.size(); ++i) {
    // No history calls accelerators: nothing is lost there, where there is
    // anything to lose, and no device did anything.
    const Layer layer = all_metrics()[i].layer;
    if (layer == Layer::kDevices) {
      wanted[i] = std::isnan(values[i]) ? kUndefined : 1;
    }
    if (layer == Layer::kDeviceTime) wanted[i] = kUndefined;
    if (std::isnan(values[i]) && std::isnan(wanted[i])) continue;
    if (std::abs(values[i] - wanted[i]) <= 1e-12) continue;
    differ("metric " + std::to_string(i), values[i], wanted[i]);
  }
}

// Its parts add up to its length in any case.
void Comparison::compare_path() {
  where_ = "longest path: ";
  const LongestPath& path = job_.path;
  int64_t sum_ns = 0;
  std::map<std::pair<int, int>, int64_t> parts;
  for (const PathShare& part : path.parts) {
    sum_ns += part.ns;
    int what = 0;
    if (part.what == PathShare::kMpi) what = Path::kMpi;
    if (part.what == PathShare::kOpenMp) what = Path::kOpenMp;
    if (part.what == PathShare::kOthers) what = history_.regions;
    if ((part.key & ~uint64_t{0xFFFF}) == Replay::kConstructs) {
      what = Path::openmp_behind(static_cast<Kind>(part.key & 0xFFFF));
    }
    for (int r = 1; r < history_.regions; ++r) {
      const std::string name = region_name(r);
      if (part.key == text_hash(name.data(), name.size())) what = r;
    }
    parts[{what, static_cast<int>(part.rank)}] += part.ns;
  }
  if (sum_ns != path.length_ns) differ("sum", sum_ns, path.length_ns);
  const bool is_known =
      std::ranges::none_of(history_.actions, [](const Action& action) {
        return action.kind == Kind::kReceiveLate ||
               action.kind == Kind::kRestart;
      });
  if (!is_known || !strictness_.global_clocks_exact) return;
  const Path expected =
      longest_path(graph_, 1, replay_.process(0).path_choice().constructs);
  if (path.length_ns != expected.all_ns) {
    differ("length", path.length_ns, expected.all_ns);
  }
  if (path.without[0].run_ns != expected.without_ns) {
    differ("without a region", path.without[0].run_ns, expected.without_ns);
  }
  // Those without a place lose their names.
  if (expected.is_tied || expected.most_parts > PathNote::kMostParts) return;
  std::map<std::pair<int, int>, int64_t> all = parts;
  all.insert(expected.parts.begin(), expected.parts.end());
  for (const auto& [key, ns] : all) {
    const auto is = parts.find(key);
    const auto wanted = expected.parts.find(key);
    const int64_t is_ns = is == parts.end() ? 0 : is->second;
    const int64_t wanted_ns =
        wanted == expected.parts.end() ? 0 : wanted->second;
    if (is_ns == wanted_ns) continue;
    differ("part " + std::to_string(key.first) + " of process " +
               std::to_string(key.second),
           is_ns, wanted_ns);
  }
}

void Comparison::compare_region(int index) {
  const std::string name = region_name(index);
  where_ = name + ": ";
  const std::vector<ProcessShare> shares = process_shares(graph_, index);
  const RegionTotals expected = expected_totals(shares);
  const uint64_t key = text_hash(name.data(), name.size());
  const auto found =
      std::find_if(job_.regions.begin(), job_.regions.end(),
                   [key](const RegionTotals& r) { return r.key == key; });
  if (found == job_.regions.end()) {
    if (expected.processes != 0) text_ += where_ + "is missing\n";
    return;
  }
  if (expected.processes != 0 && found->name != name) {
    text_ += where_ + "is called '" + found->name + "'\n";
  }
  compare_totals(*found, expected);
  compare_threads(index, shares);
  if (expected.processes != 0 && strictness_.whole &&
      strictness_.global_clocks_exact && found->com_ns == expected.com_ns &&
      found->comp_ns == expected.comp_ns) {
    compare_metrics(*found, shares);
  }
}

}  // namespace

std::string differences(const History& history, Replay& replay,
                        const Strictness& strictness) {
  return Comparison(history, replay, strictness).run();
}

}  // namespace poprt::oracle
