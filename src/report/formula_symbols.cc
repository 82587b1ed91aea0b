#include "report/formula_symbols.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "document/format.h"
#include "model/quantities.h"
#include "model/terms.h"

namespace poprt {
namespace {

using Unit = FormulaSymbol::Unit;

std::vector<FormulaSymbol> talp_symbols(const RegionTotals& r) {
  const TalpTerms t = talp_terms(r);
  const auto average = [&](std::string symbol, double sum) {
    return FormulaSymbol{std::move(symbol),
                         ratio(sum, static_cast<double>(r.processes)),
                         Unit::kNs};
  };
  return {average("T", t.all()),
          average("U", t.useful),
          average("C", t.mpi),
          average("I", t.idle()),
          average("I_serial", t.serial),
          average("I_lb", t.imbalance),
          average("I_sch", t.scheduling),
          average("A", t.accelerator),
          {"max_i(T_i - C_i)", t.not_mpi_max, Unit::kNs}};
}

// Of the model's rows of devices.
std::vector<FormulaSymbol> device_symbols(const RegionReport& region,
                                          Model model) {
  const RegionTotals& r = region.totals;
  if (model == Model::kAdditive) {
    const DeviceShares s = device_shares_of(r, region.clocks_complete);
    const double all = static_cast<double>(r.devices.size()) *
                       terms_of(r, region.clocks_complete).all;
    const auto sum = [&](const char* symbol, double share) {
      return FormulaSymbol{symbol, share * all, Unit::kNs};
    };
    const auto idle = [&](HostPart part) {
      return s.idle[static_cast<size_t>(part)];
    };
    return {sum("kernels", s.kernels),
            sum("copies", s.copies),
            sum("idle_host_computes", idle(HostPart::kUseful)),
            sum("idle_host_in_mpi", idle(HostPart::kMpi)),
            sum("idle_host_in_openmp", idle(HostPart::kOpenMp)),
            sum("idle_host_in_calls", idle(HostPart::kAccelerator)),
            sum("rest", s.graphs + s.outside + idle(HostPart::kUnknown)),
            {"G", static_cast<double>(r.devices.size()), Unit::kCount}};
  }
  if (model != Model::kTalp) return {};
  double kernels = 0;
  double kernels_max = 0;
  double busy_max = 0;
  for (const DeviceKnown& device : r.devices) {
    const auto own = static_cast<double>(device.time.kernels_ns);
    kernels += own;
    kernels_max = std::fmax(kernels_max, own);
    busy_max = std::fmax(busy_max, static_cast<double>(device.time.busy_ns()));
  }
  return {{"sum_g K_g", kernels, Unit::kNs},
          {"max_g K_g", kernels_max, Unit::kNs},
          {"max_g (K_g + C_g)", busy_max, Unit::kNs},
          {"G", static_cast<double>(r.devices.size()), Unit::kCount},
          {"E", static_cast<double>(r.elapsed_max_ns), Unit::kNs}};
}

std::vector<FormulaSymbol> process_symbols(const RegionReport& region,
                                           Model model) {
  const RegionTotals& r = region.totals;
  if (model == Model::kMultiplicative) {
    const MultiplicativeTerms t =
        multiplicative_terms(r, region.clocks_complete);
    return {{"R_ideal", t.ideal, Unit::kNs},
            {"avg_p(outside_mpi)", t.outside_mpi_avg, Unit::kNs},
            {"max_p(outside_mpi)", t.outside_mpi_max, Unit::kNs},
            {"max_n(outside_mpi)", t.outside_mpi_node_max, Unit::kNs},
            {"avg_p(outside_both)", t.outside_both_avg, Unit::kNs},
            {"max_p(outside_both)", t.outside_both_max, Unit::kNs}};
  }
  const AdditiveTerms t = additive_terms(r, region.clocks_complete);
  return {
      {"R_ideal", t.ideal, Unit::kNs},
      {"avg(openmp)", t.openmp_avg, Unit::kNs},
      {"avg(serial)", t.serial_avg, Unit::kNs},
      {"avg(outside_mpi)", t.outside_mpi_avg, Unit::kNs},
      {"max_p(outside_mpi)", t.outside_mpi_max, Unit::kNs},
      {"max_n(outside_mpi)", t.outside_mpi_node_max, Unit::kNs},
      {"sum_p serial_p (t_p - 1)",
       static_cast<double>(r.serial_weighted_ns - r.serial_sum_ns), Unit::kNs},
      {"avg_t(openmp - useful in parallel regions)", t.openmp_lost_avg,
       Unit::kNs},
      {"avg(imbalance)", t.imbalance_avg, Unit::kNs},
      {"avg(serialised)", t.serialised_avg, Unit::kNs},
      {"avg(mpi_inside)", t.mpi_inside_avg, Unit::kNs},
      {"avg(scheduling)", t.scheduling_avg, Unit::kNs},
      {"avg(not_started)", t.not_started_avg, Unit::kNs},
      {"avg(accelerator_inside)", t.accelerator_inside_avg, Unit::kNs},
      {"avg(accelerator_in_regions)",
       mean(amount(r, kAcceleratorInside), r.threads), Unit::kNs},
      {"avg(accelerator_lost)", t.accelerator_avg, Unit::kNs},
      {"avg(waiting_lost)", t.device_waiting_avg, Unit::kNs},
      {"avg(copying_lost)", t.device_copying_avg, Unit::kNs},
      {"avg(launching_lost)", t.device_launching_avg, Unit::kNs}};
}

// What is counted of one precision, and the sums of it.
void add_precision(const std::string& precision, const PrecisionCounts& counts,
                   std::vector<FormulaSymbol>* symbols) {
  const auto add = [&](const char* what, double value) {
    symbols->push_back(
        {std::string("fp_") + what + precision, value, Unit::kCount});
  };
  add("", counts.all());
  add("scalar_", counts.scalar);
  add("packed_", counts.packed());
  add("packed_128_", counts.packed_128);
  add("packed_256_", counts.packed_256);
  add("packed_512_", counts.packed_512);
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The longest symbol in `text` at position `at`, or nullptr.
const FormulaSymbol* symbol_at(std::string_view text, size_t at,
                               const std::vector<FormulaSymbol>& quantities) {
  const FormulaSymbol* longest = nullptr;
  if (at > 0 && in_word(text[at - 1])) return longest;
  for (const FormulaSymbol& quantity : quantities) {
    const std::string& symbol = quantity.symbol;
    if (text.compare(at, symbol.size(), symbol) != 0) continue;
    const size_t end = at + symbol.size();
    if (end < text.size() && in_word(symbol.back()) && in_word(text[end])) {
      continue;
    }
    if (longest == nullptr || symbol.size() > longest->symbol.size()) {
      longest = &quantity;
    }
  }
  return longest;
}

}  // namespace

std::vector<FormulaSymbol> formula_symbols_of(const RegionReport& region,
                                              Model model) {
  const RegionTotals& r = region.totals;
  const Terms t = terms_of(r, region.clocks_complete);
  std::vector<FormulaSymbol> result;
  if (model == Model::kTalp) {
    result = talp_symbols(r);
  } else if (model == Model::kComputation) {
    const CounterTerms counters = counter_terms(r);
    const FloatCounts& f = counters.floats;
    result = {{"cycles", counters.cycles, Unit::kCount},
              {"counted useful time", counters.useful_ns, Unit::kNs},
              {"fp_instructions", fp_instructions(f), Unit::kCount},
              {"fp_packed", fp_packed(f), Unit::kCount},
              {"fp_bits", fp_bits(f), Unit::kCount}};
    add_precision("single", f.single, &result);
    add_precision("double", f.dbl, &result);
  } else if (model == Model::kIo) {
    const IoTerms io = io_terms(r);
    result = {{"R", t.all, Unit::kNs},
              {"avg(useful)", t.useful_avg, Unit::kNs},
              {"avg(mpi_io)", io.mpi.avg, Unit::kNs},
              {"avg(posix_io)", io.posix.avg, Unit::kNs},
              {"seconds(mpi_io)", io.mpi.sum / 1e9, Unit::kNumber},
              {"seconds(posix_io)", io.posix.sum / 1e9, Unit::kNumber}};
  } else if (model == Model::kMpiTime) {
    const MpiParts parts = mpi_parts(r);
    result = {{"R", t.all, Unit::kNs},
              {"avg(mpi)", parts.all, Unit::kNs},
              {"avg(waiting)", parts.waiting, Unit::kNs},
              {"avg(transfer)", parts.transfer, Unit::kNs},
              {"avg(unknown)", parts.unknown, Unit::kNs}};
  } else {
    result = {{"R", t.all, Unit::kNs},
              {"G-CUE", t.cue, Unit::kNs},
              {"G-COO", t.coo, Unit::kNs},
              {"G-COOW", t.coow, Unit::kNs},
              {"T", static_cast<double>(r.threads), Unit::kCount},
              {"avg(useful)", t.useful_avg, Unit::kNs},
              {"max(useful)", t.useful_max, Unit::kNs},
              {"max_n(useful)", t.useful_node_max, Unit::kNs},
              {"max_n(max_t useful)", t.useful_max_node_max, Unit::kNs},
              {"max_p(PL-CUE)", t.pl_cue, Unit::kNs},
              {"sum_p(t_p max_t useful)",
               static_cast<double>(r.useful_max_weighted_ns), Unit::kNs}};
    const std::vector<FormulaSymbol> process = process_symbols(region, model);
    result.insert(result.end(), process.begin(), process.end());
  }
  const std::vector<FormulaSymbol> devices = device_symbols(region, model);
  result.insert(result.end(), devices.begin(), devices.end());
  for (const Metric& metric : metrics_in(model)) {
    const double value = metric.value(region.metrics);
    const bool is_count =
        metric.unit == MetricUnit::kCount || metric.unit == MetricUnit::kBytes;
    const bool is_fraction =
        metric.is_efficiency() || metric.unit == MetricUnit::kShare;
    result.push_back({metric.key, value,
                      is_fraction ? Unit::kFraction
                      : is_count  ? Unit::kCount
                                  : Unit::kNumber});
  }
  return result;
}

std::string with_unit(const FormulaSymbol& quantity) {
  if (std::isnan(quantity.value)) return "-";
  switch (quantity.unit) {
    case Unit::kNs:
      return duration(std::llround(quantity.value));
    case Unit::kCount:
      return fmt::format("{:.0f}", quantity.value);
    case Unit::kFraction:
      return percent(quantity.value) + " %";
    case Unit::kNumber:
      return four_digits(quantity.value);
  }
  return "";
}

std::string filled_in(
    const std::string& formula, const std::vector<FormulaSymbol>& quantities,
    const std::function<std::string(const FormulaSymbol&)>& show) {
  std::string result;
  for (size_t at = 0; at < formula.size();) {
    const FormulaSymbol* const quantity = symbol_at(formula, at, quantities);
    if (quantity == nullptr) {
      result += formula[at++];
    } else {
      result += show(*quantity);
      at += quantity->symbol.size();
    }
  }
  return result;
}

}  // namespace poprt
