// Lines for the user, on stderr.
#ifndef POPRT_RUNTIME_LOG_H_
#define POPRT_RUNTIME_LOG_H_

#include <string>

namespace poprt {

// Measurement starts.  Where stderr is closed now, nothing is ever written
// there: whatever has its number later is a file of somebody else.
void look_at_stderr();

// Writes "poprt: <message>\n" with one system call, so that the lines of
// several processes do not mix.
void say(const std::string& message);

// Writes text as it is, and returns how much of it; errno says why not all.
// Waits at most a second in the life of the process for whoever reads it, and
// raises no signal.
size_t write_stderr(const std::string& text);

}  // namespace poprt

#endif  // POPRT_RUNTIME_LOG_H_
