// Messages to the user on stderr.
#ifndef POPRT_BASE_LOG_H_
#define POPRT_BASE_LOG_H_

#include <string>

namespace poprt {

// To be called when measurement starts.  If stderr is closed then, nothing is
// ever written to it, because another file may get its number later.
void look_at_stderr();

// Writes "poprt: <message>\n" in one system call, so that lines of several
// processes do not mix.
void say(const std::string& message);

// Writes text as it is.  Returns how many bytes were written; errno tells why
// not all.  All calls together wait at most a second for a reader.  Raises no
// signal.
size_t write_stderr(const std::string& text);

}  // namespace poprt

#endif  // POPRT_BASE_LOG_H_
