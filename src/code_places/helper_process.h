// Runs a program for the report, without the user's program noticing.
#ifndef POPRT_CODE_PLACES_HELPER_PROCESS_H_
#define POPRT_CODE_PLACES_HELPER_PROCESS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// The path of such an installed program: in the folder of this library, the
// folder above, or poprt/ beside it.  "" if there is none.
std::string helper_program(const std::string& name);

// Like helper_program(), for a library at `path`.
std::string helper_program_of(const std::string& name, const std::string& path);

// Runs `program` (a path) with `arguments` and an empty environment for at most
// `budget_ns`, then kills it.  Returns what it has written to stdout; "" if it
// cannot be started: then `why_not`, if given, is the cause.  Its stdin and
// stderr are /dev/null.
//
// The calling process is not affected: its memory is not copied, it gets no
// SIGCHLD, wait() never returns the helper, no child and no file descriptor is
// left, and if the process dies the helper dies too.  Signals of the calling
// thread are blocked meanwhile.  Can be called by any thread.
std::string output_of(const std::string& program,
                      const std::vector<std::string>& arguments,
                      int64_t budget_ns, std::string* why_not = nullptr);

// The time on a core of all helpers that have ended.
int64_t helpers_cpu_ns();

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_HELPER_PROCESS_H_
