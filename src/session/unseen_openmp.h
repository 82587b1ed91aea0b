// Looks for OpenMP runtimes that have not started this library (OMPT): GCC's,
// and others that have no such interface.  What the program does with them is
// not measured, and the report says what helps: LLVM's runtime has GCC's entry
// points too, and replaces GCC's if it is loaded first.
#ifndef POPRT_SESSION_UNSEEN_OPENMP_H_
#define POPRT_SESSION_UNSEEN_OPENMP_H_

#include <string>

namespace poprt {

// The runtime with code at this address tells this library of OpenMP.
void openmp_tells(const void* in_runtime);

// One line on a runtime that the program's calls lead to and that does not, and
// what to do; empty if there is none.  Whether it has had threads it does not
// tell.  Loads nothing.
std::string unseen_openmp_note();

// The same of one that is linked into the program and that the loader does not
// know.  Reads the program's file, once: for the end of a run in which threads
// worked that are not measured.  Not known of a program without symbols.
std::string linked_openmp_note();

// The same of one of which that is so.  `has_headers`: poprt was built with
// omp-tools.h.
struct SilentRuntime {
  std::string path;
  bool is_gccs = false;    // LLVM's can take its place
  bool has_tools = false;  // an interface for them
};
std::string note_on(const SilentRuntime& runtime, bool has_headers);

// In a process that is not measured: whether there are or were threads beside
// the calling one.
bool has_had_threads();

}  // namespace poprt

#endif  // POPRT_SESSION_UNSEEN_OPENMP_H_
