// What `poprt explain` says is in the pages on metrics; its formulas, with the
// numbers of a run filled in, are the metrics.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "command/metric_docs.h"
#include "model/quantities.h"
#include "report/formula_symbols.h"
#include "unit/has.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

// The value of an expression of numbers, + - x / and parentheses.
class Expression {
 public:
  explicit Expression(std::string_view text) : rest_(text) {}

  double sum() {
    double value = product();
    for (char op = next(); op == '+' || op == '-'; op = next()) {
      rest_.remove_prefix(1);
      const double other = product();
      value = op == '+' ? value + other : value - other;
    }
    return value;
  }
  bool at_end() { return next() == '\0'; }

 private:
  double product() {
    double value = atom();
    for (char op = next(); op == 'x' || op == '/'; op = next()) {
      rest_.remove_prefix(1);
      const double other = atom();
      value = op == 'x' ? value * other : value / other;
    }
    return value;
  }
  double atom() {
    if (next() == '(') {
      rest_.remove_prefix(1);
      const double value = sum();
      EXPECT_EQ(')', next());
      rest_.remove_prefix(rest_.empty() ? 0 : 1);
      return value;
    }
    const std::string text(rest_);
    char* end;
    const double value = std::strtod(text.c_str(), &end);
    EXPECT_NE(text.c_str(), end) << "no number: " << text;
    rest_.remove_prefix(static_cast<size_t>(end - text.c_str()));
    return value;
  }
  char next() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  std::string_view rest_;
};

std::string all_digits(const FormulaSymbol& quantity) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", quantity.value);
  return text;
}

TEST(Explain, HasAMeaningAndAnAdviceForEveryMetric) {
  for (const Metric& metric : all_metrics()) {
    const MetricDocs docs = docs_of(metric);
    EXPECT_NE("", docs.definition) << metric.key;
    EXPECT_NE("", docs.low) << metric.key;
    EXPECT_LACKS(docs.definition, "**");
    EXPECT_LACKS(docs.low, "- **");
  }
}

// The report of a run that counted instructions, cycles, and floating-point
// instructions, and measured I/O.
JobReport with_counters(JobReport report) {
  JobTotals totals = report.totals;
  totals.has_posix_io = true;
  for (RegionReport& region : report.regions) {
    set_amount(counter_amount("PAPI_TOT_INS"), 3000, &region.totals.amounts);
    set_amount(counter_amount("PAPI_TOT_CYC"), 2000, &region.totals.amounts);
    set_amount(counter_amount(kCountedUseful), 800, &region.totals.amounts);
    int64_t count = 10;
    for (const FloatCounter& each : kFloatCounters) {
      // Counters of both precisions follow from those of each precision.
      if (std::string_view(each.name).ends_with("le")) {
        set_amount(counter_amount(each.name), count += 7,
                   &region.totals.amounts);
      }
    }
    for (const Quantity* quantity :
         {&kMpiIo, &kMpiIoRead, &kMpiIoWritten, &kPosixIo, &kPosixIoRead,
          &kPosixIoWritten}) {
      set_amount(quantity->name, 1000, &region.totals.amounts);
    }
    region.totals.coow_ns = (region.totals.cue_ns + region.totals.all_ns) / 2;
    totals.regions.push_back(region.totals);
  }
  std::ranges::sort(totals.regions, {}, &RegionTotals::key);
  return make_report(report.context, totals);
}

TEST(Explain, FormulasOfTheDocsWithNumbersAreTheMetrics) {
  size_t checked = 0;
  for (const JobReport& report : {with_counters(test::hybrid_report()),
                                  with_counters(test::small_report()),
                                  with_counters(test::accelerated_report())}) {
    const RegionReport& region = report.regions[0];
    const bool has_devices = report.totals.has_devices;
    for (const Metric& metric : all_metrics()) {
      // Rows of accelerators where there are none, and of MPI where it is not
      // told apart from them.
      const bool is_mpi = metric.layer == Layer::kMpi;
      if (has_devices ? is_mpi && std::isnan(metric.value(region.metrics))
                      : metric.layer == Layer::kDevices) {
        continue;
      }
      // Rows of devices where none has told of its operations.
      if (metric.layer == Layer::kDeviceTime &&
          std::isnan(metric.value(region.metrics))) {
        continue;
      }
      // Counts have no formula.
      if (metric.unit == MetricUnit::kCount ||
          metric.unit == MetricUnit::kBytes) {
        continue;
      }
      // Its formula is given in words.
      if (metric.model == Model::kTalp &&
          metric.key == std::string("mpi_load_balance_out")) {
        continue;
      }
      const std::string formula = filled_in(
          (has_devices ? docs_with_accelerators(metric) : docs_of(metric))
              .formula,
          formula_symbols_of(region, metric.model), all_digits);
      // Every side of "=" is the metric.
      for (size_t begin = 0; begin != std::string::npos;) {
        const size_t end = formula.find('=', begin);
        Expression side(std::string_view(formula).substr(begin, end - begin));
        const double value = side.sum();
        // The product has a row of MPI that is not told apart.
        if (!has_devices || !std::isnan(value)) {
          EXPECT_NEAR(metric.value(region.metrics), value, 1e-7)
              << key_of(metric.model) << '.' << metric.key << ": " << formula;
        }
        EXPECT_TRUE(side.at_end()) << formula;
        begin = end == std::string::npos ? end : end + 1;
        ++checked;
      }
    }
  }
  constexpr size_t kCounts = 10;
  EXPECT_LE(2 * (all_metrics().size() - kCounts), checked);
}

TEST(Explain, KnowsAMetricByItsKeyItsLabelAndInBothSpellings) {
  const auto key_for = [](const char* name) {
    const auto metric = metric_named(name, Model::kCriticalPath);
    return metric ? key_of(metric->model) + std::string(".") + metric->key : "";
  };
  EXPECT_EQ("critical_path.mpi_load_balance", key_for("mpi_load_balance"));
  EXPECT_EQ("critical_path.mpi_load_balance", key_for("MPI Load Balance"));
  EXPECT_EQ("critical_path.openmp_transfer_efficiency",
            key_for("omp transfer"));
  EXPECT_EQ("critical_path.mpi_serialisation_efficiency",
            key_for("MPI Serialization Efficiency"));
  EXPECT_EQ("talp.openmp_scheduling_efficiency", key_for("OpenMP Scheduling"));
  EXPECT_EQ("talp.openmp_load_balance", key_for("talp.openmp_load_balance"));
  EXPECT_EQ("", key_for("speed"));
  EXPECT_EQ(Model::kPop, metric_named("load_balance", Model::kPop)->model);
  // TALP has no such metric of its own.
  EXPECT_EQ(Model::kCriticalPath,
            metric_named("load_balance", Model::kTalp)->model);
}

TEST(Explain, FindsAMetricInEachModelThatHasIt) {
  const auto models_of = [](const char* name,
                            const std::vector<Model>& models) {
    std::string keys;
    for (const Metric& metric : metrics_named(name, models)) {
      keys += std::string(key_of(metric.model)) + " ";
    }
    return keys;
  };
  const std::vector<Model> all(std::begin(kModels), std::end(kModels));
  EXPECT_EQ("critical_path multiplicative talp waiting ",
            models_of("mpi_load_balance", all));
  EXPECT_EQ("talp pop ",
            models_of("parallel_efficiency", {Model::kTalp, Model::kPop}));
  EXPECT_EQ("talp ", models_of("talp.mpi_load_balance", {Model::kPop}));
  EXPECT_EQ("", models_of("mpi_load_balance", {Model::kPop}));
  EXPECT_EQ("", models_of("best.mpi_load_balance", all));
}

// Names of metrics in POP's standard metrics, the leaflet of the additive
// model, D8.2, KapitanPOP, Cube, ONE View and TALP.
struct KnownName {
  const char* name;
  Model model;  // of the text that has it
  const char* key;
};
constexpr KnownName kKnownNames[] = {
    {"PE", Model::kPop, "parallel_efficiency"},
    {"Load Balance Efficiency", Model::kPop, "load_balance"},
    {"LB", Model::kPop, "load_balance"},
    {"global load balance", Model::kPop, "load_balance"},
    {"CommE", Model::kPop, "communication_efficiency"},
    {"SerE", Model::kPop, "serialisation_efficiency"},
    {"Serialization efficiency", Model::kPop, "serialisation_efficiency"},
    {"TE", Model::kPop, "transfer_efficiency"},
    {"LB_mpi", Model::kCriticalPath, "mpi_load_balance"},
    {"LB_omp", Model::kCriticalPath, "openmp_load_balance"},
    {"SerE_mpi", Model::kCriticalPath, "mpi_serialisation_efficiency"},
    {"SerE_omp", Model::kCriticalPath, "openmp_serialisation_efficiency"},
    {"TE_mpi", Model::kCriticalPath, "mpi_transfer_efficiency"},
    {"TE_omp", Model::kCriticalPath, "openmp_transfer_efficiency"},
    {"OMP Serialisation Efficiency", Model::kCriticalPath,
     "openmp_serialisation_efficiency"},
    {"Hybrid Parallel Efficiency", Model::kMultiplicative,
     "parallel_efficiency"},
    {"Hybrid Load Balance", Model::kMultiplicative, "load_balance"},
    {"Hybrid Load Balance Efficiency", Model::kMultiplicative, "load_balance"},
    {"Hybrid Communication Efficiency", Model::kMultiplicative,
     "communication_efficiency"},
    {"Hybrid Communication", Model::kMultiplicative,
     "communication_efficiency"},
    {"MPI Comm Efficiency", Model::kMultiplicative,
     "mpi_communication_efficiency"},
    {"MPI Load Balance Efficiency", Model::kMultiplicative, "mpi_load_balance"},
    {"MPI Serialization Efficiency", Model::kMultiplicative,
     "mpi_serialisation_efficiency"},
    {"OpenMP Comm Efficiency", Model::kMultiplicative,
     "openmp_communication_efficiency"},
    {"OpenMP load balance efficiency", Model::kMultiplicative,
     "openmp_load_balance"},
    {"Process Level Efficiency", Model::kAdditive, "process_efficiency"},
    {"MPI Process Efficiency", Model::kAdditive, "process_efficiency"},
    {"Process LB efficiency", Model::kAdditive, "process_load_balance"},
    {"Process Load Balance Efficiency", Model::kAdditive,
     "process_load_balance"},
    {"Load balance", Model::kAdditive, "process_load_balance"},
    {"MPI comm efficiency", Model::kAdditive,
     "process_communication_efficiency"},
    {"MPI Communication Efficiency", Model::kAdditive,
     "process_communication_efficiency"},
    {"MPI Transfer Efficiency", Model::kAdditive,
     "process_transfer_efficiency"},
    {"MPI Serialisation Efficiency", Model::kAdditive,
     "process_serialisation_efficiency"},
    {"Process Serialization Efficiency", Model::kAdditive,
     "process_serialisation_efficiency"},
    {"Thread Level Efficiency", Model::kAdditive, "thread_efficiency"},
    {"OpenMP Parallel Efficiency", Model::kAdditive,
     "openmp_region_efficiency"},
    {"OpenMP Parallel Region Efficiency", Model::kAdditive,
     "openmp_region_efficiency"},
    {"OpenMP efficiency", Model::kAdditive, "openmp_region_efficiency"},
    {"Amdahl Efficiency", Model::kAdditive, "serial_region_efficiency"},
    {"serial efficiency", Model::kAdditive, "serial_region_efficiency"},
    {"Hyb_Eff", Model::kTalp, "parallel_efficiency"},
    {"Hybrid parallel efficiency", Model::kTalp, "parallel_efficiency"},
    {"MPI_Eff", Model::kTalp, "mpi_parallel_efficiency"},
    {"MPI_Comm", Model::kTalp, "mpi_communication_efficiency"},
    {"MPI_LB", Model::kTalp, "mpi_load_balance"},
    {"mpiLoadBalanceOut", Model::kTalp, "mpi_load_balance_out"},
    {"OMP_Eff", Model::kTalp, "openmp_parallel_efficiency"},
    {"OMP_Serial", Model::kTalp, "openmp_serialization_efficiency"},
    {"OMP_LB", Model::kTalp, "openmp_load_balance"},
    {"OpenMP Load Balance Efficiency", Model::kTalp, "openmp_load_balance"},
    {"OMP_Sched", Model::kTalp, "openmp_scheduling_efficiency"},
    {"ompSchedulingEfficiency", Model::kTalp, "openmp_scheduling_efficiency"},
};

TEST(Explain, KnowsTheNamesThatOthersUse) {
  for (const KnownName& known : kKnownNames) {
    const std::vector<Metric> found = metrics_named(known.name, {known.model});
    ASSERT_EQ(1u, found.size()) << known.name;
    EXPECT_STREQ(known.key, found[0].key) << known.name;
    EXPECT_TRUE(metric_named(known.name, Model::kCriticalPath)) << known.name;
  }
}

TEST(Explain, TakesANameAsTheModelThatHasItItself) {
  // Others use these names for rows of the additive model.
  for (const char* const name :
       {"Load Balance", "MPI Transfer Efficiency", "OpenMP Parallel"}) {
    EXPECT_EQ(Model::kCriticalPath, metric_named(name, Model::kAdditive)->model)
        << name;
  }
  EXPECT_EQ(Model::kMultiplicative,
            metric_named("Hybrid Parallel", Model::kCriticalPath)->model);
  EXPECT_EQ(Model::kTalp, metric_named("Hybrid Parallel", Model::kTalp)->model);
  EXPECT_FALSE(metric_named("Efficiency", Model::kPop));
  EXPECT_FALSE(metric_named("", Model::kPop));
}

TEST(Explain, KnowsEachNumberThatComparesRuns) {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"run time", "run_time_ns"},
      {"runtime", "run_time_ns"},
      {"run_time", "run_time_ns"},
      {"Elapsed time", "run_time_ns"},
      {"Load Increase Factor", "load_increase_factor"},
      {"LIF", "load_increase_factor"},
      {"Speedup", "speedup"},
      {"speedup / ideal", "speedup_efficiency"},
      {"speedup_efficiency", "speedup_efficiency"},
      {"Efficiency", "speedup_efficiency"},
      {"Global efficiency", "global_efficiency"},
      {"GE", "global_efficiency"},
      {"Computational Scaling", "computation_scaling"},
      {"CompS", "computation_scaling"},
      {"Computation Scalability", "computation_scaling"},
      {"Weak Computation Scalability", "computation_scaling"},
      {"Instruction Scaling", "instruction_scaling"},
      {"Instruction Efficiency", "instruction_scaling"},
      {"Useful Instructions scalability", "instruction_scaling"},
      {"Strong Instruction Scalability", "instruction_scaling"},
      {"IPC scalability", "ipc_scaling"},
      {"Frequency Scalability (GHz)", "frequency_scaling"},
  };
  for (const auto& [name, key] : kNames) {
    const ScalingMetric* const found = scaling_named(name);
    ASSERT_NE(nullptr, found) << name;
    EXPECT_STREQ(key, found->key) << name;
  }
  for (const ScalingMetric& metric : kScalingMetrics) {
    EXPECT_NE("", docs_of(metric).definition) << metric.key;
    EXPECT_EQ(&metric, scaling_named(metric.key));
    EXPECT_EQ(&metric, scaling_named(metric.label)) << metric.label;
  }
  EXPECT_EQ(nullptr, scaling_named("speed"));
}

TEST(Explain, KnowsNumbersOfTheWholeRun) {
  for (const JobNumber& number : job_numbers()) {
    const MetricDocs docs = docs_of(number);
    EXPECT_NE("", docs.definition) << number.key;
    EXPECT_NE("", docs.low) << number.key;
    EXPECT_EQ(&number, job_number_named(number.key));
    EXPECT_EQ(&number, job_number_named(number.label)) << number.label;
    for (const std::string& name : docs.other_names) {
      EXPECT_EQ(&number, job_number_named(name)) << name;
    }
    EXPECT_FALSE(metric_named(number.key, Model::kCriticalPath)) << number.key;
  }
  EXPECT_STREQ("energy_j", job_number_named("hosts.energy_j")->key);
  EXPECT_EQ(nullptr, job_number_named("speed"));
}

TEST(Explain, EachNameInTheDocsMeansOneMetricOfItsModel) {
  for (const Metric& metric : all_metrics()) {
    for (const std::string& name : docs_of(metric).other_names) {
      const auto found = metrics_named(name, {metric.model});
      ASSERT_EQ(1u, found.size()) << name;
      EXPECT_STREQ(metric.key, found[0].key) << name;
    }
  }
}

TEST(Explain, SaysOfARowWhatTheModelSaysThatItIsTakenFrom) {
  const auto meaning = [](const char* name) {
    return docs_of(metric_named(name, Model::kCriticalPath).value()).definition;
  };
  EXPECT_EQ(meaning("pop.load_balance"), meaning("waiting.load_balance"));
  EXPECT_EQ(meaning("pop.load_balance"),
            meaning("multiplicative.load_balance"));
  EXPECT_EQ(meaning("critical_path.mpi_load_balance"),
            meaning("waiting.mpi_load_balance"));
  EXPECT_NE(meaning("critical_path.mpi_transfer"),
            meaning("waiting.mpi_transfer"));
}

TEST(Explain, SaysOfDoublePrecisionWhatItSaysOfSingle) {
  const MetricDocs docs =
      docs_of(metric_named("double_sse_ratio", Model::kComputation).value());
  EXPECT_EQ("fp_packed_128_double / fp_double", docs.formula);
  EXPECT_NE(std::string::npos, docs.definition.find("in double precision"));
}

TEST(Explain, SaysOfANumberOfARunWhatItsModelSays) {
  EXPECT_EQ(docs_of(metric_named("ipc", Model::kComputation).value()).formula,
            docs_of(*scaling_named("average_ipc")).formula);
  EXPECT_EQ(docs_of(*job_number_named("energy_j")).definition,
            docs_of(*scaling_named("energy_j")).definition);
}

TEST(Explain, KnowsTheRowsBelowAMetric) {
  const auto below = [](const char* name) {
    std::string keys;
    for (const Metric& each :
         rows_below(metric_named(name, Model::kCriticalPath).value())) {
      keys += std::string(each.key) + " ";
    }
    return keys;
  };
  EXPECT_EQ("process_efficiency thread_efficiency accelerator_efficiency ",
            below("additive.parallel_efficiency"));
  EXPECT_EQ("mpi_serialisation_efficiency mpi_transfer_efficiency ",
            below("mpi_communication"));
  EXPECT_EQ("", below("talp.openmp_scheduling_efficiency"));
}

TEST(Explain, FillsInWholeWordsOnly) {
  const std::vector<FormulaSymbol> quantities = {
      {"T", 4, FormulaSymbol::Unit::kCount},
      {"R", 2e9, FormulaSymbol::Unit::kNs},
      {"R_ideal", 1e9, FormulaSymbol::Unit::kNs},
      {"lost", std::nan(""), FormulaSymbol::Unit::kNs},
      {"a", 0.5, FormulaSymbol::Unit::kFraction}};
  EXPECT_EQ("1.000 s / 2.000 s x 4 x Rest - 50.0 %",
            filled_in("R_ideal / R x T x Rest - a", quantities, with_unit));
  EXPECT_EQ("-", filled_in("lost", quantities, with_unit));
}

}  // namespace
}  // namespace poprt
