// poprt explain: what a metric means, and where its value comes from.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/metric_docs.h"
#include "command/suggestion.h"
#include "report/format.h"
#include "report/quantities.h"
#include "report/table.h"
#include "run_file/reader.h"

namespace poprt {
namespace {

struct ExplainArguments {
  std::string metric;
  std::string file;
  std::vector<std::string> models;
  std::string region = kGlobalRegion;
};

// All metrics, as they can be asked for.
std::string metric_list() {
  std::string text;
  size_t count;
  const Metric* const table = metric_table(&count);
  for (const Model model : kModels) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", key_of(model),
                        label_of(model));
    for (const Metric* metric = table; metric != table + count; ++metric) {
      if (metric->model != model) continue;
      const std::string indent(2 + 2 * static_cast<size_t>(metric->depth), ' ');
      text += left(indent + metric->label, 38) + metric->key + "\n";
    }
  }
  return text;
}

std::string explanation(const Metric& metric, const MetricDocs& docs) {
  return fmt::format("{}  ({}.{})\n\n", metric.label, key_of(metric.model),
                     metric.key) +
         wrapped(" Meaning    ", docs.definition) + "\n" +
         wrapped(" If low     ", docs.low);
}

// The formula with the numbers of this region.
std::string numbers(const Metric& metric, const MetricDocs& docs,
                    const JobReport& report, const RegionReport& region,
                    const std::string& file) {
  const double value = metric.value(region.metrics);
  const double loss = metric.value(region.losses);
  std::string text =
      wrapped(" Here       ", fmt::format("{}, region {}", printable(file),
                                          printable(region.totals.name)));
  if (std::isnan(value)) {
    return text + wrapped("            ",
                          std::string("is undefined: ") +
                              undefined_reason(report, region, metric));
  }
  if (!docs.formula.empty()) {
    const std::vector<Quantity> quantities =
        quantities_of(region, metric.model);
    text += wrapped("            ", docs.formula);
    text += wrapped("            = ",
                    filled_in(docs.formula, quantities, with_unit));
  }
  text += fmt::format("            = {} %", percent(value));
  if (std::isfinite(loss)) {
    text += fmt::format(
        ", {} % of the {} lost", percent(loss),
        metric.model == Model::kTalp ? "threads' time" : "region's core time");
  }
  return text + "\n";
}

// The metrics that are asked for: in each of the models, or where none is
// given in the one that is shown where there is a report.
std::vector<Metric> metrics_asked(const std::string& name,
                                  const std::vector<Model>& models,
                                  const std::optional<JobReport>& report) {
  if (!models.empty()) return metrics_named(name, models);
  const auto metric = metric_named(
      name, report ? usual_models(*report).front() : Model::kCriticalPath);
  return metric ? std::vector{*metric} : std::vector<Metric>();
}

int run_explain(const ExplainArguments& arguments) {
  const auto models = models_named(arguments.models);
  if (!models) return kBadInput;
  if (arguments.metric.empty()) {
    write_out(metric_list());
    return kGood;
  }
  std::optional<JobReport> report;
  std::vector<std::string> regions;
  if (!arguments.file.empty()) {
    std::string complaint;
    report = read_run_file(arguments.file, &complaint);
    if (!report) {
      complain(complaint);
      return kBadInput;
    }
    const auto names =
        regions_matching(*report, {arguments.region}, arguments.file);
    if (!names) return kBadInput;
    regions = *names;
  }
  const std::vector<Metric> metrics =
      metrics_asked(arguments.metric, *models, report);
  if (metrics.empty()) {
    std::string where;
    for (const Model model : *models) {
      where += std::string(where.empty() ? " in " : ", ") + key_of(model);
    }
    complain(fmt::format("no metric \"{}\"{}.{} poprt explain lists them all.",
                         printable(arguments.metric), where,
                         did_you_mean_metric(arguments.metric)));
    return kBadInput;
  }
  std::string text;
  for (const Metric& metric : metrics) {
    const MetricDocs docs = docs_of(metric);
    text += (text.empty() ? "" : "\n") + explanation(metric, docs);
    if (!report) continue;
    for (const RegionReport* region :
         shown_regions(*report, {.regions = regions})) {
      text += "\n" + numbers(metric, docs, *report, *region, arguments.file);
    }
  }
  write_out(text);
  return kGood;
}

}  // namespace

void add_explain(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* const command = app->add_subcommand(
      "explain", "Say what a metric means, and what its value is made of");
  command->add_option("METRIC", arguments->metric,
                      "load_balance, \"MPI Transfer\", talp.mpi_load_balance, "
                      "...; without it, all are listed");
  command->add_option("FILE", arguments->file,
                      "Run file whose numbers fill the formula");
  add_models(command, &arguments->models,
             "The models to look in: pop, critical_path, multiplicative, "
             "additive, talp or all; several with commas");
  command
      ->add_option("-r,--region", arguments->region,
                   "Regions to explain, by name or pattern")
      ->capture_default_str();
  command->callback([=] { *run = [=] { return run_explain(*arguments); }; });
}

}  // namespace poprt
