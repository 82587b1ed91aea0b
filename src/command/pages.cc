#include "command/pages.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "command/metric_docs.h"
#include "compare/assessment_document.h"
#include "compare/difference_document.h"
#include "compare/scaling_document.h"
#include "page/page.h"
#include "report/heading.h"
#include "report/render.h"
#include "report/report_document.h"
#include "report/table.h"
#include "report/writers.h"

namespace poprt {
namespace {

MetricText as_text(MetricDocs docs) {
  return {std::move(docs.definition), std::move(docs.low),
          std::move(docs.formula), std::move(docs.other_names)};
}

Page empty_page(const PageOptions& options) {
  Page page;
  page.first = options.first;
  page.thresholds = options.thresholds;
  page.unit = options.unit;
  page.texts = {
      [](const Metric& metric) { return as_text(docs_of(metric)); },
      [](const ScalingMetric& metric) { return as_text(docs_of(metric)); }};
  return page;
}

// A name that no other run of the page has: "16x4", "16x4 (2)".
std::string unique_name(const std::string& name, std::set<std::string>* names) {
  std::string unique = name;
  for (int n = 2; !names->insert(unique).second; ++n) {
    unique = name + " (" + std::to_string(n) + ")";
  }
  return unique;
}

PageRun page_run(const RunFile& run, const std::string& name,
                 const PageOptions& options) {
  TableOptions table;
  table.thresholds = options.thresholds;
  table.unit = options.unit;
  if (has_rows(run.report)) table.blocks = process_blocks(run.report, table);
  const std::vector<Model> models =
      options.models.empty() ? usual_models(run.report) : options.models;
  return {name, run.path, &run.report, models.front(),
          report_document(run.report, models, run.path, table)};
}

// What changed from the reference to each configuration that differs from it
// in something else than its size.
std::vector<Document> changes_of(const ScalingStudy& study,
                                 const std::vector<Model>& models,
                                 const std::vector<std::string>& regions,
                                 const PageOptions& options) {
  const Configuration& reference = study.configurations[study.reference];
  std::vector<Document> documents;
  for (const Configuration& each : study.configurations) {
    if (&each == &reference || !have_shape_of(each, {reference})) continue;
    documents.push_back(
        difference_document(comparison_of({reference}, {each}),
                            {reference.name, each.name, models, regions,
                             options.unit, options.thresholds}));
  }
  return documents;
}

// REQUIRES: options.models are not empty.
Page page_with_study(const ScalingStudy& study, const std::string& how,
                     const PageOptions& options) {
  Page page = empty_page(options);
  std::set<std::string> names;
  for (const Configuration& configuration : study.configurations) {
    for (const RunFile& run : configuration.runs) {
      page.runs.push_back(
          page_run(run, unique_name(configuration.name, &names), options));
    }
  }
  const std::vector<std::string> regions = region_names(study.configurations);
  // What was chosen comes first: the findings are about it.
  std::vector<Model> models = options.models;
  std::ranges::copy_if(kModels, std::back_inserter(models), [&](Model each) {
    return std::ranges::find(models, each) == models.end();
  });
  ScalingOptions tables = {models, regions, false, options.unit,
                           options.thresholds};
  page.study.push_back({&study, models.front(),
                        scaling_document(study, how, tables),
                        changes_of(study, options.models, regions, options)});
  if (has_repetitions(study)) {
    tables.spread = true;
    page.study.front().spreads.push_back(scaling_document(study, how, tables));
  }
  return page;
}

}  // namespace

std::string page_of_runs(const std::vector<RunFile>& runs,
                         const PageOptions& options) {
  Page page = empty_page(options);
  std::set<std::string> names;
  for (const RunFile& run : runs) {
    page.runs.push_back(page_run(
        run, unique_name(short_shape(run.report.totals), &names), options));
    page.plain += (page.plain.empty() ? "" : "\n") +
                  render_text(page.runs.back().document);
  }
  return html_page(page);
}

std::string page_of_study(const ScalingStudy& study, const std::string& how,
                          const PageOptions& options) {
  Page page = page_with_study(study, how, options);
  page.plain = render_text(scaling_document(study, how,
                                            {options.models,
                                             {kGlobalRegion},
                                             false,
                                             options.unit,
                                             options.thresholds}));
  return html_page(page);
}

std::string page_of_assessment(const ScalingStudy& study,
                               const std::string& how,
                               const PageOptions& options) {
  Page page = page_with_study(study, how, options);
  ScalingOptions tables = {options.models, options.first.regions,
                           options.first.spread, options.unit,
                           options.thresholds};
  if (tables.regions.empty()) tables.regions = {kGlobalRegion};
  page.assessment.push_back(assessment_document(study, how, tables));
  page.plain = render_text(page.assessment.front());
  return html_page(page);
}

}  // namespace poprt
