// What the loss that a finding names means in this run.
#ifndef POPRT_REPORT_MEANINGS_H_
#define POPRT_REPORT_MEANINGS_H_

#include <span>
#include <string>

#include "model/job.h"
#include "model/largest_loss.h"
#include "report/sentence.h"

namespace poprt {

struct LossOf {
  const JobReport& report;
  const RegionReport& region;
  const Loss& loss;
  std::string meaning;  // by the rows of the table before
};

// Each takes the meaning before it, and adds to it or takes its place.
std::span<const Sentence<LossOf>> meanings();

// As part of a sentence.
std::string meaning_of(const JobReport& report, const RegionReport& region,
                       const Loss& loss);

// Likewise, where waits for a core may be most of it.
inline constexpr const char* kMayBeWaits =
    "it may be waits for a core, so see to them first";

// The share of MPI-IO in the time in MPI, and whether it is most of it.
double io_share(const RegionTotals& region);
bool is_mostly_io(const RegionTotals& region);

// The share of waits for locks and dependences in what parallel regions lose,
// and whether it is most of it. 0 if it is not known.
double serialised_share(const RegionTotals& region);
bool is_mostly_serialised(const RegionTotals& region);

// Whether the row is about the time of MPI calls rather than about waiting.
bool is_mpi_itself(const Metric& metric);

}  // namespace poprt

#endif  // POPRT_REPORT_MEANINGS_H_
