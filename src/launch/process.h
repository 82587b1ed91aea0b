// Programs as processes.
#ifndef POPRT_LAUNCH_PROCESS_H_
#define POPRT_LAUNCH_PROCESS_H_

#include <functional>
#include <string>
#include <vector>

#include "launch/environment.h"

namespace poprt {

// That of this process.
Environment own_environment();

// Becomes the program `path` (arguments[0] is the name it is given) with
// `changes` to the environment.  Returns only where that fails, with errno.
void become(const std::string& path, const std::vector<std::string>& arguments,
            const Environment& changes);

// What goes on while a child runs.
struct Waiting {
  // `take` is called when there is something to read in `file`.
  int file = -1;
  std::function<void()> take;
  // Signals are sent to the whole process group, so that the child has them
  // itself; and it does not outlive this process.
  bool is_task_of_launcher = false;
};

// Runs it as a child and waits for its end.  Signals that another process sends
// to this one go on to the child, unless it has them itself; those of the
// terminal it has got itself.  Returns the status as of waitpid(); -1 with
// errno where it cannot be started.
int wait_for(const std::string& path, const std::vector<std::string>& arguments,
             const Environment& changes, const Waiting& waiting);

// Ends this process as the child with that status has ended: by the same
// signal, or by returning the code that is to be exited with.
int end_as(int status);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROCESS_H_
