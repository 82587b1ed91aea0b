// Strong or weak?  Decided by votes: each quantity that the runs have says
// what it looks like, or nothing where it lies between.
#ifndef POPRT_COMPARE_SCALING_KIND_H_
#define POPRT_COMPARE_SCALING_KIND_H_

#include <optional>
#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling.h"

namespace poprt {

struct Vote {
  const char* quantity;  // "useful time per core"
  double ratio;          // of the run with most cores to that with fewest
  std::optional<Scaling> scaling;
};

struct ScalingVotes {
  double cores_from;
  double cores_to;
  // Quantities that all runs have; none where the cores do not differ.
  std::vector<Vote> votes;
};

// Perfect strong scaling takes each quantity to 1 / k when there are k times
// the cores, perfect weak scaling leaves it at 1.  With x = k^(e - 1), e below
// 0.4 is a vote for strong and above 0.6 for weak.
ScalingVotes scaling_votes(const Work& fewest_cores, const Work& most_cores);

// The same of runs, by the medians of repeated ones.
ScalingVotes scaling_votes(const std::vector<Configuration>& configurations);

// What the first quantity votes for: the work that was done says more than how
// long it took, since a strong study that scales badly hardly gets shorter.
// Between both it is strong: work that grows with the cores does not shrink for
// each of them.  Where the cores do not differ both are the same, and it is
// strong.  nullopt where the runs have no quantity.
std::optional<Scaling> decided(const ScalingVotes& votes);

// "from 4 to 36 cores: useful time per core x 0.11, run time x 0.16 (strong
// scaling: x 0.11, weak: x 1.00); 2 votes for strong, 0 for weak"
std::string evidence(const ScalingVotes& votes);

const char* name_of(Scaling scaling);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_KIND_H_
