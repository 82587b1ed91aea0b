#ifndef POPRT_OMPT_TASKWAIT_CALLS_H_
#define POPRT_OMPT_TASKWAIT_CALLS_H_

namespace poprt::ompt {

// Whether the program's `taskwait depend` calls the entries of
// taskwait_calls.cc.  It does not if the OpenMP runtime itself has loaded this
// library.
bool taskwait_comes_here();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_TASKWAIT_CALLS_H_
