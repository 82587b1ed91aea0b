// Starts programs and waits for them.
#ifndef POPRT_LAUNCH_PROCESS_PROCESS_H_
#define POPRT_LAUNCH_PROCESS_PROCESS_H_

#include <functional>
#include <string>
#include <vector>

#include "launch/environment.h"

namespace poprt {

// The environment of this process.
Environment own_environment();

// Replaces this process by the program `path`, with `changes` to the
// environment.  `arguments[0]` is the name it is given.  Returns only if that
// fails, with errno set.
void become(const std::string& path, const std::vector<std::string>& arguments,
            const Environment& changes);

// What else to do while a child runs.
struct Waiting {
  // `take` is called when `file` can be read.
  int file = -1;
  std::function<void()> take;
  // The launcher sends signals to the whole process group, so the child gets
  // them itself.  The child must not outlive this process.
  bool is_task_of_launcher = false;
};

// Runs the program as a child and waits for its end.  Signals that another
// process sends to this one have no effect here and are passed on, unless the
// child gets them itself: from the terminal, or from a process of its own in
// the same process group.  Returns the status of waitpid(); -1 with errno if it
// cannot be started.
int wait_for(const std::string& path, const std::vector<std::string>& arguments,
             const Environment& changes, const Waiting& waiting);

// If nobody can read what is written to stderr, makes it /dev/null.  For
// launchers that are ended by SIGPIPE when they pass on what their processes
// write to stderr.
void replace_dead_stderr();

// Ends this process in the way the child has ended: by the same signal, or by
// returning the exit code.
int end_as(int status);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROCESS_PROCESS_H_
