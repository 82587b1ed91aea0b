// What the run would take less if one loss were mended: both ends of it, from
// the numbers of the run as it was.
//
// A loss is a share of the core time and is no gain: what is lost on a path
// that nobody waits for gains nothing, and what is lost on the one that all
// wait for gains more than its share.  So a gain is the difference of two run
// times.  Where a clock leaves out just what is mended, the second one is that
// clock, and the gain is a bound: all else being equal, the run cannot become
// shorter.  Where work is shared in another way no clock knows the second one.
// Then it is estimated from the process for which it is longest: how long it
// is occupied, that is does not wait for another process, and how long it
// would be occupied with the work shared evenly, everything else of it as it
// was.  So another process, or another part of the same one, may take over.
// Where processes also wait for one another's work, one after the other, the
// two ends say how the run may change with it: the part of their work that is
// on its path stays the same, or no process waits any more.
#ifndef POPRT_MODEL_GAIN_H_
#define POPRT_MODEL_GAIN_H_

#include <optional>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// What a gain is computed from: times of one region in ns, each at least 0.
// NaN: not known.
struct GainTimes {
  double processes;  // how many
  double run;        // R
  // Clocks, and maxima of the chain of losses_of().
  double cue;
  double com;
  double coo;
  double coow;
  double pl_cue;
  double useful_max;
  double useful_max_avg;
  double useful_avg;
  // Of the process for which it is longest (kProcessMaxima).
  double occupied;
  double besides_work;
  double balanced;
  double unchained;
  double in_tasks;  // the part of useful time in OpenMP tasks, of the whole run
  // What may belong anywhere, as a share of the run time: waits for a core, the
  // tool's own time, calls in MPI of which it is not known whether they waited.
  double uncertain;
};
GainTimes gain_times(const JobReport& report, const RegionReport& region);

struct Gain {
  enum class Kind { kBound, kEstimate };
  // How the second run time was found.
  enum class Basis {
    kEqualProcesses,  // as if all processes had the work of their average
    kEqualThreads,    // as if the threads of each process had
    kEqualWork,       // as if all threads of the job had
    kNoProcessWaits,  // of the process that is occupied for longest
    kNoThreadWaits,   // the same, and no thread waits for another one
    kNobodyWaits,     // both
    kIdealMpi,        // G-COM
    kIdealOpenMp,     // G-COO and G-COOW
    kIdealRuntimes,   // G-CUE
  };

  // Of the run time, from 0 to 1; low <= high.
  double low;
  double high;
  Kind kind;
  Basis basis;
};

// "bound", "equal_processes": in run files. They never change once released.
const char* key_of(Gain::Kind kind);
const char* key_of(Gain::Basis basis);

// What the run would take less without the loss of a row of the model
// critical_path that names a cause. nullopt for any other row, if a number that
// it needs is not known, and if the ends of an estimate are too far apart to
// mean anything: by more than 15 % of the run time and half of the upper end,
// before they are widened by what is uncertain.
std::optional<Gain> gain_of(const Metric& metric, const GainTimes& times);

}  // namespace poprt

#endif  // POPRT_MODEL_GAIN_H_
