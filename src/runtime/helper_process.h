// A program that works for the report, beside the user's program and unseen by
// it.
#ifndef POPRT_RUNTIME_HELPER_PROCESS_H_
#define POPRT_RUNTIME_HELPER_PROCESS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// Runs `program` (a path) with `arguments` and an empty environment, for
// `budget_ns` nanoseconds at most (then it is killed), and returns what it has
// written on stdout until then; "" where it cannot be started.  Its stdin and
// stderr are /dev/null.
//
// The calling process sees nothing of it: the address space is not copied,
// there is no SIGCHLD, wait() never returns it, no child or file descriptor is
// left, and if the process dies so does the program.  The calling thread takes
// no signals meanwhile.  Any thread.
std::string output_of(const std::string& program,
                      const std::vector<std::string>& arguments,
                      int64_t budget_ns);

}  // namespace poprt

#endif  // POPRT_RUNTIME_HELPER_PROCESS_H_
