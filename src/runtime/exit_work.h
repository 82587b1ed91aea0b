// What is to be done when the program ends by exit() or by the end of main(),
// also where several of its threads call exit() at once: that ends the process
// as soon as one of them has gone through, whatever the others are doing.
#ifndef POPRT_RUNTIME_EXIT_WORK_H_
#define POPRT_RUNTIME_EXIT_WORK_H_

#include <cstdint>

namespace poprt::exit_work {

// Has the thread that comes first do the work and go on to the end of the
// process.  Others that are in exit() stay there meanwhile; if the process has
// not ended after so long, one of them goes on.
void set(void (*work)(), int64_t patience_ns);

// Nobody is to wait, nor do it: in the child of a fork(), where the thread that
// was at it does not exist.
void drop();

}  // namespace poprt::exit_work

#endif  // POPRT_RUNTIME_EXIT_WORK_H_
