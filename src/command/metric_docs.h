// The pages on metrics are compiled into the program.  These functions find
// what they say about a metric.
#ifndef POPRT_COMMAND_METRIC_DOCS_H_
#define POPRT_COMMAND_METRIC_DOCS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/scaling.h"
#include "model/metric_table.h"
#include "report/job_numbers.h"

namespace poprt {

// docs/metrics.md, docs/counters.md and docs/io.md, one after the other.
std::string_view metrics_md();

struct MetricDocs {
  std::string definition;  // what the metric is, with its formula
  std::string low;         // what a low value means and what to do
  std::string formula;     // the formula alone; empty if the text gives none
  // That of a program with accelerators, if it is another one.
  std::string with_accelerators;
  // The names that other tools and texts use for it.
  std::vector<std::string> other_names;
};

// The paragraph of the metric, without Markdown.  Where its model has none, it
// is as in the model that this one extends.  The definition lacks the formula
// with accelerators.
MetricDocs docs_of(const Metric& metric);
// The same for a program with accelerators.
MetricDocs docs_with_accelerators(const Metric& metric);
// The paragraph of a number that compares runs (poprt scale), or of the number
// of the run itself.
MetricDocs docs_of(const ScalingMetric& metric);
// The paragraph of a number of the whole run.
MetricDocs docs_of(const JobNumber& number);

// The rows right below it in its hierarchy.
std::vector<Metric> rows_below(const Metric& metric);

// The metrics of this name in these models, in their order.  Key or title,
// American or British: "mpi_load_balance", "MPI Load Balance".  A model without
// a metric of this name gives those that others call so.  A name may contain
// its model: "talp.openmp_load_balance".
std::vector<Metric> metrics_named(const std::string& name,
                                  const std::vector<Model>& models);

// The metric if no model is given: from the model `usual` if that has it, else
// from critical_path, else from the first model that has it.  Models whose own
// name it is come before models in which others call a metric so.
std::optional<Metric> metric_named(const std::string& name, Model usual);

// The number of this name that compares runs; nullptr if there is none.
const ScalingMetric* scaling_named(const std::string& name);

// The number of the whole run of this name, which may begin with "hosts.";
// nullptr if there is none.
const JobNumber* job_number_named(const std::string& name);

}  // namespace poprt

#endif  // POPRT_COMMAND_METRIC_DOCS_H_
