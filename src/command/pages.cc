#include "command/pages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "command/metric_docs.h"
#include "compare/assessment_document.h"
#include "compare/difference_document.h"
#include "compare/scaling_document.h"
#include "document/render.h"
#include "model/present_rows.h"
#include "page/page.h"
#include "report/heading.h"
#include "report/processes.h"
#include "report/report_document.h"
#include "report/table_options.h"

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

void add_run(const RunFile& run, const std::string& name,
             const PageOptions& options, Page* page) {
  if (run.report.totals.has_devices) {
    page->texts.of_metric = [](const Metric& metric) {
      return as_text(docs_with_accelerators(metric));
    };
  }
  TableOptions table;
  table.thresholds = options.thresholds;
  table.all_rows = true;  // the page shows some at a time
  if (has_rows(run.report)) table.blocks = process_blocks(run.report, table);
  const std::vector<Model> models =
      options.models.empty() ? usual_models(run.report) : options.models;
  page->runs.push_back({name, run.path, &run.report, models.front(),
                        report_document(run.report, models, run.path, table)});
}

// About how much text a page has, before it is packed; a browser holds all of
// it.
constexpr double kMostText = 60e6;
// About what a region adds to that: in each run, and with each cell of a table.
constexpr double kTextOfRun = 12e3;
constexpr double kTextOfCell = 75;
constexpr double kRowsOfTable = 16;

double text_of_region(const Page& page, size_t columns, bool has_spread) {
  const double tables = static_cast<double>(std::size(kModels)) * kRowsOfTable *
                        (has_spread ? 2 : 1);
  return static_cast<double>(page.runs.size()) * kTextOfRun +
         (columns == 0
              ? 0
              : tables * kTextOfCell * (1 + static_cast<double>(columns)));
}

// Leaves out the regions that do not fit, those that lost least first; returns
// how many.  Stays with what the user has named, and with Global.
size_t leave_out_regions(const std::vector<std::string>& all, double text,
                         const PageOptions& options, Page* page) {
  const auto most = static_cast<size_t>(std::max(1.0, kMostText / text));
  if (all.size() <= most) return 0;
  std::map<std::string, int64_t> lost;
  for (const PageRun& run : page->runs) {
    for (const RegionReport& region : run.report->regions) {
      lost[region.totals.name] += lost_core_ns(region.totals);
    }
  }
  const std::set<std::string> named(options.first.regions.begin(),
                                    options.first.regions.end());
  // By place in `all` where nothing else tells them apart.
  std::vector<std::tuple<bool, int64_t, size_t>> order;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool stays = all[i] == kGlobalRegion || named.count(all[i]) != 0;
    order.emplace_back(!stays, -lost[all[i]], i);
  }
  std::ranges::sort(order);
  order.resize(most);
  std::set<std::string> fits;
  for (const auto& [leaves, less, i] : order) fits.insert(all[i]);
  std::ranges::copy_if(all, std::back_inserter(page->regions),
                       [&](const auto& name) { return fits.count(name) != 0; });
  return all.size() - most;
}

Fact left_out(size_t count) {
  return {"Note", std::to_string(count) +
                      " regions, those that lost least, are left out: the page "
                      "would be too large for a browser. --region names "
                      "others."};
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
    documents.push_back(difference_document(
        comparison_of({reference}, {each}),
        {reference.name, each.name, models, regions, options.thresholds}));
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
      add_run(run, unique_name(configuration.name, &names), options, &page);
    }
  }
  const bool has_spread = has_repetitions(study);
  const size_t omitted = leave_out_regions(
      region_names(study.configurations),
      text_of_region(page, study.configurations.size(), has_spread), options,
      &page);
  const std::vector<std::string> regions =
      omitted == 0 ? region_names(study.configurations) : page.regions;
  // What was chosen comes first: the findings are about it.
  std::vector<Model> models = options.models;
  std::ranges::copy_if(kModels, std::back_inserter(models), [&](Model each) {
    return std::ranges::find(models, each) == models.end();
  });
  ScalingOptions tables = {models, regions, false, options.thresholds};
  page.study.push_back({&study, models.front(),
                        scaling_document(study, how, tables),
                        changes_of(study, options.models, regions, options)});
  if (omitted > 0) {
    page.study.front().document.facts.facts.push_back(left_out(omitted));
  }
  if (has_spread) {
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
    add_run(run, unique_name(short_shape(run.report.totals), &names), options,
            &page);
    page.plain += (page.plain.empty() ? "" : "\n") +
                  render_text(page.runs.back().document);
  }
  std::vector<std::string> names_of_regions;
  std::set<std::string> seen;
  for (const RunFile& run : runs) {
    for (const RegionReport& region : run.report.regions) {
      if (seen.insert(region.totals.name).second) {
        names_of_regions.push_back(region.totals.name);
      }
    }
  }
  const size_t omitted = leave_out_regions(
      names_of_regions, text_of_region(page, 0, false), options, &page);
  for (PageRun& run : page.runs) {
    if (omitted > 0) run.document.facts.facts.push_back(left_out(omitted));
  }
  return html_page(page);
}

std::string page_of_study(const ScalingStudy& study, const std::string& how,
                          const PageOptions& options) {
  Page page = page_with_study(study, how, options);
  page.plain = render_text(scaling_document(
      study, how,
      {options.models, {kGlobalRegion}, false, options.thresholds}));
  return html_page(page);
}

std::string page_of_assessment(const ScalingStudy& study,
                               const std::string& how,
                               const PageOptions& options) {
  Page page = page_with_study(study, how, options);
  ScalingOptions tables = {options.models, options.first.regions,
                           options.first.spread, options.thresholds};
  if (tables.regions.empty()) tables.regions = {kGlobalRegion};
  page.assessment.push_back(assessment_document(study, how, tables));
  page.plain = render_text(page.assessment.front());
  return html_page(page);
}

}  // namespace poprt
