// Turns a child of fork() into a program, and tells its parent whether that has
// worked.
#ifndef POPRT_LAUNCH_PROCESS_CHILD_H_
#define POPRT_LAUNCH_PROCESS_CHILD_H_

#include <string>
#include <vector>

#include "launch/environment.h"

namespace poprt {

// An array for exec(), with a null at the end.  The pointers point into
// `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts);

// "NAME=value".
std::vector<std::string> lines_of(const Environment& environment);

// Called in the child.  Does not return: if the program cannot be started,
// errno is written to `pipe`, which is closed on exec, and the child exits.
[[noreturn]] void become_program(const std::string& path,
                                 char* const* arguments,
                                 char* const* environment, int pipe);

// 0 if the child at the other end of `pipe` has become the program, else its
// errno.
int start_error(int pipe);

}  // namespace poprt

#endif  // POPRT_LAUNCH_PROCESS_CHILD_H_
