// Whether two configurations may be compared as runs of the same work.
#ifndef POPRT_COMPARE_SAME_WORK_H_
#define POPRT_COMPARE_SAME_WORK_H_

#include <optional>
#include <string>

#include "compare/runs.h"
#include "compare/scaling_kind.h"

namespace poprt {

// How the work of two configurations compares.
struct WorkOfTwo {
  ScalingChoice choice;
  // Whether less time, or fewer instructions, is better.
  bool is_comparable = true;
  // What is to be said of it in one line; empty if there is nothing.
  std::string note = "";
};

// `said`: by the user.  Else it is what choice_of_work() says, and where runs
// that are known to be unlike tell nothing, they are not comparable.  Where the
// command line of one of them is not known, who compares them says that they
// are alike.
WorkOfTwo work_of_two(const Configuration& a, const Configuration& b,
                      std::optional<Scaling> said);

}  // namespace poprt

#endif  // POPRT_COMPARE_SAME_WORK_H_
