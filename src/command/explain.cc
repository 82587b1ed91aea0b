// poprt explain: what a metric means, and where its value comes from.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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
#include "report/findings.h"
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

std::string listed(const std::string& label, int depth, const char* key) {
  constexpr size_t kKeyColumn = 41;
  const std::string indent(2 + 2 * static_cast<size_t>(depth), ' ');
  return left(indent + label, kKeyColumn) + key + "\n";
}

// All that can be asked for.
std::string metric_list() {
  std::string text;
  size_t count;
  const Metric* const table = metric_table(&count);
  for (const Model model : kModels) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", key_of(model),
                        label_of(model));
    for (const Metric* metric = table; metric != table + count; ++metric) {
      if (metric->model != model) continue;
      text += listed(metric->label, metric->depth, metric->key);
    }
  }
  text += "\nof several runs (poprt scale)\n";
  for (const ScalingName& each : scaling_names()) {
    text += listed(each.label, each.depth, each.key);
  }
  return text;
}

std::string explanation(const std::string& label, const std::string& name,
                        const MetricDocs& docs) {
  std::string text = fmt::format("{}  ({})\n\n", label, name) +
                     wrapped(" Meaning    ", docs.definition);
  if (!docs.low.empty()) text += "\n" + wrapped(" If low     ", docs.low);
  return text;
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
  text += "\n";
  const std::string more = advice(report, region, metric);
  if (!more.empty()) text += "\n" + wrapped(" This run   ", more);
  return text;
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

// What the run lost most by, in each of the regions.
std::vector<Metric> main_causes(
    const JobReport& report, const std::vector<const RegionReport*>& regions) {
  std::vector<Metric> causes;
  for (const RegionReport* region : regions) {
    const auto cause = main_cause(report, *region);
    const auto is_cause = [&](const Metric& each) {
      return cause && each.value == cause->value;
    };
    if (cause && std::none_of(causes.begin(), causes.end(), is_cause)) {
      causes.push_back(*cause);
    }
  }
  return causes;
}

bool is_file(const std::string& word) {
  return word == "-" || word.ends_with(".json") ||
         access(word.c_str(), F_OK) == 0;
}

int no_metric(const ExplainArguments& arguments,
              const std::vector<Model>& models) {
  std::string where;
  for (const Model model : models) {
    where += std::string(where.empty() ? " in " : ", ") + key_of(model);
  }
  complain(fmt::format("no metric \"{}\"{}.{} poprt explain lists them all.",
                       printable(arguments.metric), where,
                       did_you_mean_metric(arguments.metric)));
  return kBadInput;
}

// A number that compares runs; no single run has it.
void explain_scaling(const ScalingName& name) {
  write_out(explanation(name.label, name.key, scaling_docs_of(name.key)) +
            "\n" +
            wrapped(" Here       ",
                    "of several runs: poprt scale FILE|DIR... computes it."));
}

int run_explain(ExplainArguments arguments) {
  const auto models = models_named(arguments.models);
  if (!models) return kBadInput;
  if (arguments.metric.empty()) {
    write_out(metric_list());
    return kGood;
  }
  std::vector<Metric> metrics =
      metrics_asked(arguments.metric, *models, std::nullopt);
  if (metrics.empty() && models->empty()) {
    if (const auto name = scaling_named(arguments.metric)) {
      explain_scaling(*name);
      return kGood;
    }
  }
  const bool only_file =
      metrics.empty() && arguments.file.empty() && is_file(arguments.metric);
  if (only_file) arguments.file = arguments.metric;
  if (metrics.empty() && !only_file) return no_metric(arguments, *models);
  std::optional<JobReport> report;
  std::vector<const RegionReport*> regions;
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
    regions = shown_regions(*report, {.regions = *names});
    metrics = only_file ? main_causes(*report, regions)
                        : metrics_asked(arguments.metric, *models, report);
  }
  std::string text = only_file ? main_finding(*report) : "";
  for (const Metric& metric : metrics) {
    const MetricDocs docs = docs_of(metric);
    text += (text.empty() ? "" : "\n") +
            explanation(metric.label,
                        fmt::format("{}.{}", key_of(metric.model), metric.key),
                        docs);
    for (const RegionReport* region : regions) {
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
                      "speedup, ...; or only a run file: what it lost most by; "
                      "without it, all are listed");
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
