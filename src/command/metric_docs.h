// docs/metrics.md, which is part of the program: what it says of each metric.
#ifndef POPRT_COMMAND_METRIC_DOCS_H_
#define POPRT_COMMAND_METRIC_DOCS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/metric_table.h"

namespace poprt {

// The whole of docs/metrics.md.
std::string_view metrics_md();

struct MetricDocs {
  std::string definition;  // what it is, with its formula
  std::string low;         // what a low value says and what to do
  std::string formula;     // alone; empty where it is said in words
};

// The paragraph of the metric, without the marks of Markdown.
MetricDocs docs_of(const Metric& metric);

// The same of a number that compares runs (poprt scale), by its key.
MetricDocs scaling_docs_of(const std::string& key);

// Those numbers, in report order: their keys and what they are called.
struct ScalingName {
  const char* key;
  const char* label;
  int depth;
};
const std::vector<ScalingName>& scaling_names();

// The one that a name means, as metric_named() takes it; nullopt for none.
std::optional<ScalingName> scaling_named(const std::string& name);

// The metrics that a name means in these models, in their order:
// "mpi_load_balance", "MPI Load Balance"; American or British.
// "talp.openmp_load_balance" names its model itself.
std::vector<Metric> metrics_named(const std::string& name,
                                  const std::vector<Model>& models);

// The one that is meant where no model is given: of the models that have it
// `usual`, else critical_path, else the first.
std::optional<Metric> metric_named(const std::string& name, Model usual);

}  // namespace poprt

#endif  // POPRT_COMMAND_METRIC_DOCS_H_
