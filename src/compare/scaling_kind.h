// Decides between strong and weak scaling by votes: each quantity that the runs
// have votes for one of them, or for none if it lies between.
#ifndef POPRT_COMPARE_SCALING_KIND_H_
#define POPRT_COMPARE_SCALING_KIND_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling.h"

namespace poprt {

struct Vote {
  std::string quantity;  // "useful time per core"
  double ratio;  // from the run with the fewest cores to the one with the most
  std::optional<Scaling> scaling;
};

struct ScalingVotes {
  double cores_from;  // or ranks
  double cores_to;
  // Quantities that all runs have; none if all runs have the same number of
  // cores.
  std::vector<Vote> votes;
  const char* unit = "core";
};

// With k times the cores, perfect strong scaling changes a quantity by a factor
// of 1 / k, perfect weak scaling by 1.  A factor of k^(e - 1) is a vote for
// strong if e is below 0.4, and for weak if it is above 0.6.
ScalingVotes scaling_votes(const Work& fewest_cores, const Work& most_cores);

// The votes of runs, by the medians of repeated ones.
ScalingVotes scaling_votes(const std::vector<Configuration>& configurations);

// The vote of the first quantity, because the work that was done says more than
// how long it took: a strong study that scales badly hardly gets shorter.  If
// it has no vote the scaling is strong: work that grows with the cores does not
// shrink per core.  If all have the same number of cores both are the same, and
// it is strong. nullopt if the runs have no quantity.
std::optional<Scaling> decided(const ScalingVotes& votes);

// "from 4 to 36 cores: useful time per core x 0.11, run time x 0.16 (strong
// scaling: x 0.11, weak: x 1.00); 2 votes for strong, 0 for weak"
std::string evidence(const ScalingVotes& votes);

// How runs are compared, and the evidence for it.
struct ScalingChoice {
  Scaling scaling;
  Load load;  // for weak scaling
  std::string how;
};

// What the runs tell; nullopt if they do not tell.
//
// The command line comes before the votes.  Runs with the same command line and
// the same number of ranks that differ in their threads do the same work: a
// study of only such runs is strong.  If there are also other numbers of ranks,
// the votes are counted by ranks, and the work of weak scaling grows with the
// ranks.  If the votes are for weak scaling by cores and the threads per rank
// differ, the work grows with ranks or cores, whichever is nearer.  If the
// votes are undecided, it may be nearer to the ranks.
std::optional<ScalingChoice> scaling_choice(
    const std::vector<Configuration>& configurations);

// What the work grows with if scaling is weak, and the evidence for it; empty
// if it is the cores, as usual.
std::pair<Load, std::string> load_choice(
    const std::vector<Configuration>& configurations);

const char* name_of(Scaling scaling);
// "ranks", "metadata size".
std::string name_of(const Load& load);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_KIND_H_
