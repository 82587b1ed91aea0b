// What a run's sentences are about, and what its run file has as finding: one
// set of values for all who say something of the run.
#ifndef POPRT_MODEL_SITUATION_H_
#define POPRT_MODEL_SITUATION_H_

#include <optional>

#include "model/gain.h"
#include "model/job.h"
#include "model/largest_loss.h"

namespace poprt {

// Global has core time.
struct Situation {
  const JobReport& report;
  const RegionReport& global;
  bool is_red = false;
  double useful = 0;  // share of the core time
  // Threads of an OpenMP that is not measured, or ranks of which nothing is
  // known, are in no number.
  bool is_partly_measured = false;
  // Why no loss is named although the light is not red: it may be a wait for a
  // device, or nothing but different ends of the ranks.
  bool hides_devices = false;
  bool hides_ends = false;
  bool is_much_lost = false;  // enough for a cause
  // Empty with a red light, and where too little is lost for a cause.
  std::optional<Loss> loss = std::nullopt;
  // What fixing it would save, or why that is not known.
  std::optional<Gain> gain = std::nullopt;
  std::optional<NoGain> no_gain = std::nullopt;
  // Waits for a core may be most of the loss: in which row they are is not
  // known.
  bool is_in_doubt = false;
  // The region that lost most, and its largest loss.
  const RegionReport* region = nullptr;
  std::optional<Loss> region_loss = std::nullopt;
};

// nullopt if nothing was measured.
std::optional<Situation> situation_of(const JobReport& report);

// The loss that is named of a region of its report.
std::optional<Loss> named_loss(const Situation& s, const RegionReport& region);

}  // namespace poprt

#endif  // POPRT_MODEL_SITUATION_H_
