// How a child of fork() becomes a program, and how its parent learns whether it
// has.
#ifndef POPRT_LAUNCH_CHILD_H_
#define POPRT_LAUNCH_CHILD_H_

#include <string>
#include <vector>

#include "launch/environment.h"

namespace poprt {

// As exec() wants them, with a null at the end; they point into `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts);

// "NAME=value".
std::vector<std::string> lines_of(const Environment& environment);

// In a child, for good: its errno goes through `pipe`, which is closed on exec,
// where the program cannot start.
[[noreturn]] void become_program(const std::string& path,
                                 char* const* arguments,
                                 char* const* environment, int pipe);

// 0 once the child at the other end of `pipe` has become the program, else its
// errno.
int start_error(int pipe);

}  // namespace poprt

#endif  // POPRT_LAUNCH_CHILD_H_
