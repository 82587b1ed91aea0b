// What goes on in this process and is not measured: OpenMP of a runtime that
// tells tools nothing, or that tells another tool, accelerators, and calls of
// MPI functions.
#ifndef POPRT_SESSION_UNSEEN_H_
#define POPRT_SESSION_UNSEEN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt {

struct Unseen {
  std::string openmp_note;           // empty if all OpenMP runtimes tell of it
  bool has_unknown_threads = false;  // some lived or worked, not measured
  std::string other_tool_note;       // empty if OpenMP tells no other tool
  std::vector<std::string> device_runtimes;
  bool cuda_is_measured = false;
  std::vector<UnwrappedCall> unwrapped_calls;  // of this process
};

// `calls` gives the MPI functions to which the program refers and that are not
// measured; with `so_far` without those that it has not called yet.  Asked for
// whenever this library looks for what is not seen.
using UnwrappedCalls = std::vector<UnwrappedCall> (*)(bool so_far);
void ask_for_unwrapped_calls(UnwrappedCalls calls);

// As the process is now; a runtime may be loaded at any time.  `so_far`: it is
// at its end, as far as this is known.  Looks at the loader's list of objects:
// not in a signal handler.
Unseen look_for_unseen(bool so_far);

// What the totals of this process have beside what it measured: its rank, rows
// if the settings ask for them, and what is not known of it, with a note for
// each.  May be called in signal handlers.
void complete_own(const Unseen& unseen, int64_t rank, JobTotals* own);

}  // namespace poprt

#endif  // POPRT_SESSION_UNSEEN_H_
