#ifndef POPRT_OMPT_TASKWAIT_CALLS_H_
#define POPRT_OMPT_TASKWAIT_CALLS_H_

namespace poprt::ompt {

// Whether the program's `taskwait depend` comes here first (taskwait_calls.cc):
// not where the runtime itself loaded this library.
bool taskwait_comes_here();

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_TASKWAIT_CALLS_H_
