// An OpenMP runtime that reports nothing to tools: GCC's, libgomp.  What the
// program does with it is not measured, and the report says what helps: LLVM's
// runtime has GCC's entry points, too, and answers in its place if it is
// loaded before it.
#ifndef POPRT_RUNTIME_UNSEEN_OPENMP_H_
#define POPRT_RUNTIME_UNSEEN_OPENMP_H_

#include <string>

namespace poprt {

// Whether the program's OpenMP is GCC's, and would use more than one thread:
// with one, all of it is on threads that are measured.  A library that the
// program never calls counts, too.  Loads nothing.
bool has_unseen_openmp();

// What that means and what to do, in one line.
std::string unseen_openmp_note();

}  // namespace poprt

#endif  // POPRT_RUNTIME_UNSEEN_OPENMP_H_
