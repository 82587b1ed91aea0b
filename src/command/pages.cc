#include "command/pages.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "command/metric_docs.h"
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
  page.thresholds = options.thresholds;
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
                                 const Thresholds& thresholds) {
  const Configuration& reference = study.configurations[study.reference];
  std::vector<Document> documents;
  for (const Configuration& each : study.configurations) {
    if (&each == &reference || !have_shape_of(each, {reference})) continue;
    documents.push_back(
        difference_document(comparison_of({reference}, {each}),
                            {reference.name, each.name, models, regions,
                             EfficiencyUnit::kPercent, thresholds}));
  }
  return documents;
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
  Page page = empty_page(options);
  std::set<std::string> names;
  for (const Configuration& configuration : study.configurations) {
    for (const RunFile& run : configuration.runs) {
      page.runs.push_back(
          page_run(run, unique_name(configuration.name, &names), options));
    }
  }
  const std::vector<std::string> regions = region_names(study.configurations);
  const std::vector<Model> usual = options.models.empty()
                                       ? usual_models(study.configurations)
                                       : options.models;
  page.plain = render_text(scaling_document(
      study, how, {usual, {kGlobalRegion}, false, {}, options.thresholds}));
  // The usual model first: the findings are about it.
  std::vector<Model> models = usual;
  std::ranges::copy_if(kModels, std::back_inserter(models), [&](Model each) {
    return std::ranges::find(usual, each) == usual.end();
  });
  page.study.push_back(
      {&study, usual.front(),
       scaling_document(study, how,
                        {models, regions, false, {}, options.thresholds}),
       changes_of(study, usual, regions, options.thresholds)});
  return html_page(page);
}

}  // namespace poprt
