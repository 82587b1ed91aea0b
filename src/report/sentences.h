// The sentences of the main finding and of the next step in one table: a row
// for each, with the condition under which it is true.  Nobody else writes one.
// Those of the light are the causes of the judge (light.cc).
#ifndef POPRT_REPORT_SENTENCES_H_
#define POPRT_REPORT_SENTENCES_H_

#include <optional>
#include <span>
#include <string>

#include "model/gain.h"
#include "model/job.h"
#include "report/largest_loss.h"

namespace poprt {

// What sentences are about.  Global has core time.
struct Situation {
  const JobReport& report;
  const RegionReport& global;
  bool is_red = false;
  double useful = 0;  // share of the core time
  // Threads of an OpenMP that is not measured are in no number.
  bool has_unseen_openmp = false;
  // Empty with a red light, and where too little is lost for a cause.
  std::optional<Loss> loss = std::nullopt;
  // What fixing it would save, or why that is not known.
  std::optional<Gain> gain = std::nullopt;
  std::optional<NoGain> no_gain = std::nullopt;
  // Waits for a core may be most of the loss.
  bool is_in_doubt = false;
  // The region that lost most, and its largest loss.
  const RegionReport* region = nullptr;
  std::optional<Loss> region_loss = std::nullopt;
};

// Requires: job_core_ns(report) > 0.
Situation situation_of(const JobReport& report);

// Sentences of one part are one finding, in their order.
enum class Part { kUseful, kLoss, kGain, kRegion };

struct Sentence {
  const char* key;
  Part part;
  bool (*is_true)(const Situation&);
  // Never called where it is not true.  Empty: nothing is known of that.
  std::string (*words)(const Situation&);
};

std::span<const Sentence> sentences();

}  // namespace poprt

#endif  // POPRT_REPORT_SENTENCES_H_
