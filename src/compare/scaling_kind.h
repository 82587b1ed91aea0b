// Decides between strong and weak scaling by what tells how much work each run
// had: what the program says, its command line, its instructions.  Times do
// not: waiting makes them longer.
#ifndef POPRT_COMPARE_SCALING_KIND_H_
#define POPRT_COMPARE_SCALING_KIND_H_

#include <string>
#include <vector>

#include "compare/runs.h"
#include "compare/scaling.h"

namespace poprt {

// How runs are compared, and the evidence for it.
struct ScalingChoice {
  Scaling scaling;
  Load load;  // for weak scaling
  std::string how;
};

// What the runs tell; the first that tells decides. Instructions are those of
// runs that came to their end.
// 1. The program's metadata `size`, the amount of work: strong if it is the
//    same in all runs, weak if it grows as the cores or the ranks.
// 2. The same command line and metadata: strong, unless the useful instructions
//    of any two runs grow or shrink more like the cores than not at all.  Then
//    an input file may have changed, and nothing is known.
// 3. Useful instructions, if all runs counted them: strong if their sum is
//    constant, weak if it grows as the cores or the ranks.
ScalingChoice choice_of_work(const std::vector<Configuration>& configurations);

// That, if a run may be the reference.
ScalingChoice scaling_choice(const std::vector<Configuration>& configurations);

// Weak scaling that the user asks for: the load is what the runs tell that the
// work grows with, else the cores.
ScalingChoice weak_scaling(const std::vector<Configuration>& configurations);

// "strong", "weak", "unknown".
const char* name_of(Scaling scaling);
// "ranks", "metadata size".
std::string name_of(const Load& load);

}  // namespace poprt

#endif  // POPRT_COMPARE_SCALING_KIND_H_
