// Work to do when the program ends by exit() or by returning from main().
// Several threads may call exit() at once; then the process ends when the first
// of them is through, whatever the others are doing.
#ifndef POPRT_SESSION_EXIT_WORK_H_
#define POPRT_SESSION_EXIT_WORK_H_

#include <cstdint>

namespace poprt {

// Sets the work.  The first thread that calls exit() does it and goes on to the
// end of the process.  Other threads that call exit() wait meanwhile; if the
// process has not ended after `patience_ns`, one of them goes on (with glibc
// 2.41 and later, whose exit() takes one thread at a time, none comes here).
void set_exit_work(void (*work)(), int64_t patience_ns);

// Drops the work, and lets no thread wait: for the child of a fork(), where the
// thread that may have been doing it does not exist.
void drop_exit_work();

}  // namespace poprt

#endif  // POPRT_SESSION_EXIT_WORK_H_
