// What `poprt explain` says is docs/metrics.md; its formulas, with the numbers
// of a run filled in, are the metrics.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include "command/metric_docs.h"
#include "report/quantities.h"
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

std::string all_digits(const Quantity& quantity) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", quantity.value);
  return text;
}

TEST(Explain, HasAMeaningAndAnAdviceForEveryMetric) {
  size_t count;
  const Metric* const table = metric_table(&count);
  for (size_t i = 0; i < count; ++i) {
    const MetricDocs docs = docs_of(table[i]);
    EXPECT_NE("", docs.definition) << table[i].key;
    EXPECT_NE("", docs.low) << table[i].key;
    EXPECT_EQ(std::string::npos, docs.definition.find("**")) << docs.definition;
    EXPECT_EQ(std::string::npos, docs.low.find("- **")) << docs.low;
  }
}

TEST(Explain, FormulasOfTheDocsWithNumbersAreTheMetrics) {
  size_t count;
  const Metric* const table = metric_table(&count);
  size_t checked = 0;
  for (const JobReport& report :
       {test::hybrid_report(), test::small_report()}) {
    const RegionReport& region = report.regions[0];
    for (size_t i = 0; i < count; ++i) {
      const Metric& metric = table[i];
      // The one that is said in words.
      if (metric.key == std::string("mpi_load_balance_out")) continue;
      const std::string formula =
          filled_in(docs_of(metric).formula,
                    quantities_of(region, metric.model), all_digits);
      // Every side of "=" is the metric.
      for (size_t begin = 0; begin != std::string::npos;) {
        const size_t end = formula.find('=', begin);
        Expression side(std::string_view(formula).substr(begin, end - begin));
        EXPECT_NEAR(metric.value(region.metrics), side.sum(), 1e-7)
            << key_of(metric.model) << '.' << metric.key << ": " << formula;
        EXPECT_TRUE(side.at_end()) << formula;
        begin = end == std::string::npos ? end : end + 1;
        ++checked;
      }
    }
  }
  EXPECT_LE(2 * (count - 1), checked);
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
  EXPECT_EQ("critical_path multiplicative talp ",
            models_of("mpi_load_balance", all));
  EXPECT_EQ("talp pop ",
            models_of("parallel_efficiency", {Model::kTalp, Model::kPop}));
  EXPECT_EQ("talp ", models_of("talp.mpi_load_balance", {Model::kPop}));
  EXPECT_EQ("", models_of("mpi_load_balance", {Model::kPop}));
  EXPECT_EQ("", models_of("best.mpi_load_balance", all));
}

TEST(Explain, FillsInWholeWordsOnly) {
  const std::vector<Quantity> quantities = {
      {"T", 4, Quantity::Unit::kCount},
      {"R", 2e9, Quantity::Unit::kNs},
      {"R_ideal", 1e9, Quantity::Unit::kNs},
      {"lost", std::nan(""), Quantity::Unit::kNs},
      {"a", 0.5, Quantity::Unit::kFraction}};
  EXPECT_EQ("1.000 s / 2.000 s x 4 x Rest - 50.0 %",
            filled_in("R_ideal / R x T x Rest - a", quantities, with_unit));
  EXPECT_EQ("-", filled_in("lost", quantities, with_unit));
}

}  // namespace
}  // namespace poprt
