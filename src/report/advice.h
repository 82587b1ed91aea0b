// What a run adds to the general advice for a low value of a metric.
#ifndef POPRT_REPORT_ADVICE_H_
#define POPRT_REPORT_ADVICE_H_

#include <optional>
#include <span>
#include <string>

#include "model/agreement.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "report/sentence.h"

namespace poprt {

struct Advised {
  const RegionReport& region;
  const Metric& metric;
  // The contradiction for the row, or for a row of both layers, for the rows of
  // the layers.
  std::optional<Denial> denial;
};

Advised advised(const JobReport& report, const RegionReport& region,
                const Metric& metric);

std::span<const Sentence<Advised>> advice_sentences();

// Empty if the run adds nothing.
std::string advice(const JobReport& report, const RegionReport& region,
                   const Metric& metric);

}  // namespace poprt

#endif  // POPRT_REPORT_ADVICE_H_
