// poprt explain: tells what a metric means and where its value comes from.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/common_options.h"
#include "command/explanation.h"
#include "command/metric_docs.h"
#include "command/suggestion.h"
#include "document/format.h"
#include "document/render.h"
#include "document/text_line.h"
#include "model/present_rows.h"
#include "report/findings.h"
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
  TextLine line;
  line.add_label(" " + label, depth, kKeyColumn);
  line.add_left(key, 0);
  return line.text();
}

// All names that can be asked for.
std::string metric_list() {
  std::string text;
  for (const Model model : kModels) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", key_of(model),
                        label_of(model));
    for (const Metric& metric : metrics_in(model)) {
      text += listed(metric.label, metric.depth, metric.key);
    }
  }
  text += fmt::format("\n{}: of the whole run\n", kHostsModel);
  for (const JobNumber& each : job_numbers()) {
    text += listed(each.label, 0, each.key);
  }
  text += "\nof several runs (poprt scale)\n";
  for (const ScalingMetric& each : kScalingMetrics) {
    text += listed(each.label, each.depth, each.key);
  }
  return text;
}

// The metrics asked for, in each of the models; if no model is given, in the
// one that would be shown.
std::vector<Metric> metrics_asked(const std::string& name,
                                  const std::vector<Model>& models,
                                  const std::optional<JobReport>& report) {
  if (!models.empty()) return metrics_named(name, models);
  const auto metric = metric_named(
      name, report ? usual_models(*report).front() : Model::kCriticalPath);
  return metric ? std::vector{*metric} : std::vector<Metric>();
}

// The metric by which the run lost most, for each of the regions.
std::vector<Metric> main_causes(
    const JobReport& report, const std::vector<const RegionReport*>& regions) {
  std::vector<Metric> causes;
  for (const RegionReport* region : regions) {
    const auto cause = main_cause(report, *region);
    const auto is_cause = [&](const Metric& each) {
      return cause && each == *cause;
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

void write_answer(const Document& document) {
  write_out(render_text(document, {.has_frame = false}));
}

int explain_number(const JobNumber& number, const std::string& file) {
  std::optional<JobReport> report;
  if (!file.empty()) {
    std::string complaint;
    report = read_run_file(file, &complaint);
    if (!report) {
      complain(complaint);
      return kBadInput;
    }
  }
  write_answer(explanation_of(number, report ? &*report : nullptr, file));
  return kGood;
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
    if (const auto* const number = job_number_named(arguments.metric)) {
      return explain_number(*number, arguments.file);
    }
    if (const auto* const metric = scaling_named(arguments.metric)) {
      write_answer(explanation_of(*metric));
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
  std::vector<Document> answers;
  if (only_file) {
    answers.emplace_back().blocks.emplace_back(Findings{main_finding(*report)});
    if (metrics.empty() && arguments.region != kGlobalRegion) {
      answers.emplace_back().blocks.emplace_back(Paragraph{
          "No loss of " + printable(arguments.region) + " is named."});
    }
  }
  for (const Metric& metric : metrics) {
    answers.push_back(explanation_of(metric, report ? &*report : nullptr,
                                     regions, arguments.file));
  }
  for (const Document& answer : answers) {
    if (&answer != &answers.front()) write_out("\n");
    write_answer(answer);
  }
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
             "additive, talp, computation, io, mpi_time, waiting or all; "
             "several with commas");
  command
      ->add_option("-r,--region", arguments->region,
                   "Regions to explain, by name or pattern")
      ->capture_default_str();
  command->callback([=] { *run = [=] { return run_explain(*arguments); }; });
}

}  // namespace poprt
