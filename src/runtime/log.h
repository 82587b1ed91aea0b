// Lines for the user, on stderr.
#ifndef POPRT_RUNTIME_LOG_H_
#define POPRT_RUNTIME_LOG_H_

#include <string>

namespace poprt {

// Writes "poprt: <message>\n" with one system call, so that the lines of
// several processes do not mix.
void say(const std::string& message);

// Writes text as it is.
void write_stderr(const std::string& text);

}  // namespace poprt

#endif  // POPRT_RUNTIME_LOG_H_
