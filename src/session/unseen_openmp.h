// Looks for GCC's OpenMP runtime (libgomp), which has no OMPT.  What the
// program does with it is not measured, and the report says what helps: LLVM's
// runtime has GCC's entry points too, and replaces libgomp if it is loaded
// first.
#ifndef POPRT_SESSION_UNSEEN_OPENMP_H_
#define POPRT_SESSION_UNSEEN_OPENMP_H_

#include <string>

namespace poprt {

// Whether the program's OpenMP is GCC's and would use more than one thread.
// (With one thread everything is on threads that are measured.) Also true for a
// library that the program never calls.  Loads nothing.
bool has_unseen_openmp();

// One line on what that means and what to do.
std::string unseen_openmp_note();

}  // namespace poprt

#endif  // POPRT_SESSION_UNSEEN_OPENMP_H_
