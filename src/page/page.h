// The report as one HTML file that needs nothing else.  The template, made in
// web/, has the application; what is put into it is data: a document of each
// run (document/document.h), so that the page shows the numbers of the text,
// and the run files themselves.
#ifndef POPRT_PAGE_PAGE_H_
#define POPRT_PAGE_PAGE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/scaling_table.h"
#include "document/document.h"
#include "document/format.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "report/table_options.h"

namespace poprt {

// The template; empty in a poprt that was built without it.
std::string_view page_template();

// What a metric means (docs/metrics.md).
struct MetricText {
  std::string definition;
  std::string low;  // what a low value means and what to do
  std::string formula;
  std::vector<std::string> other_names;
};
struct MetricTexts {
  std::function<MetricText(const Metric&)> of_metric;
  std::function<MetricText(const ScalingMetric&)> of_scaling;
};

struct PageRun {
  std::string name;  // short, unique: "16x4"
  std::string file;
  const JobReport* report;
  Model first;  // the model that is shown first
  Document document;
};

// How the runs scale, with the findings of its document.
struct PageStudy {
  const ScalingStudy* study;
  Model first;
  Document document;  // with tables of all regions and models
  // What changed from the reference to each other version on as many cores.
  std::vector<Document> changes = {};
  // The document with the spread of repeated runs; none if no run is repeated.
  std::vector<Document> spreads = {};
};

// What the page shows until its reader chooses something else.
struct PageView {
  std::vector<std::string> regions = {};  // the first ones; empty: all
  View view = View::kEfficiency;
  bool spread = false;     // of repeated runs, instead of their medians
  bool processes = false;  // begins with the processes
};

struct Page {
  std::vector<PageRun> runs;          // at least one
  std::vector<PageStudy> study = {};  // none or one
  // None or one: shown instead of the study and the runs, with their figures.
  std::vector<Document> assessment = {};
  PageView first = {};
  // The regions of which there are tables and charts; empty: all.
  std::vector<std::string> regions = {};
  Thresholds thresholds = {};
  MetricTexts texts;
  std::string plain;  // for those whose browser runs no scripts
};

// REQUIRES: page_template() is not empty.
std::string html_page(const Page& page);

}  // namespace poprt

#endif  // POPRT_PAGE_PAGE_H_
