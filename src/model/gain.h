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
//
// Who waits for whom no total tells.  So such an estimate is one only where
// nothing in the run speaks against what it rests on: that no process works
// only when another one has, and that the process that is occupied for longest
// is the last one at all times.  Else only the lower end of the second run time
// is certain, and the gain is a bound, too.  Where regions divide the run
// (divisions.h), work that is shared in each of them makes the run at most as
// long as the sum of what they take then; a region whose processes have the
// same work already stays as it was.
#ifndef POPRT_MODEL_GAIN_H_
#define POPRT_MODEL_GAIN_H_

#include <span>
#include <variant>
#include <vector>

#include "model/job.h"
#include "model/metric_table.h"

namespace poprt {

// What a gain is computed from: times of one region in ns, each at least 0.
// NaN: not known.
struct GainTimes {
  double processes;  // how many
  double threads;
  double run;  // R
  // Clocks, and maxima of the chain of losses_of().
  double cue;
  double com;
  double coo;
  double coow;
  double pl_cue;
  // Outside MPI: of all processes, and of the one for which it is longest.
  double busy_avg;
  double busy_max;
  double useful_max;
  double useful_max_avg;
  double useful_avg;
  // Of the process for which it is longest (kProcessMaxima).
  double occupied;
  double besides_work;
  double balanced;
  double unchained;
  // The part of useful time in OpenMP tasks; of regions it is not known: 0.
  double in_tasks;
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
  // How many regions it is the sum of; 0: it is that of the run as a whole.
  size_t regions = 0;
};

// Why a gain is not known.
enum class NoGain {
  kNotMeasured,  // a number that it needs is not in the run
  kUncertain,    // what may belong anywhere is as much as the gain, or more
  // Of the work for which processes wait one after the other, it is not known
  // how much can be shared: the ends of an estimate are further apart than 15 %
  // of the run time and half of the upper end.
  kDependsOnOrder,
  // Of a bound: the path without what is mended is next to nothing.  That the
  // run cannot save more than its time says nothing.
  kAllOfTheRun,
};

// "bound", "equal_processes", "not_measured": in run files. They never change
// once released.
const char* key_of(Gain::Kind kind);
const char* key_of(Gain::Basis basis);
const char* key_of(NoGain reason);

using FoundGain = std::variant<Gain, NoGain>;

// What the run would take less without the loss of a row of the model
// critical_path that names a cause; of any other row nothing is measured.
// `regions`: those of the program, which may show that processes wait in turn.
// `divisions`: the times of regions that divide the run, of which work is
// shared in each; the narrowest counts.
FoundGain gain_of(const Metric& metric, const GainTimes& times,
                  std::span<const GainTimes> regions = {},
                  std::span<const std::vector<GainTimes>> divisions = {});

// Of the run; with those of its divisions.  REQUIRES: Global is measured.
FoundGain gain_of(const JobReport& report, const Metric& metric);

}  // namespace poprt

#endif  // POPRT_MODEL_GAIN_H_
