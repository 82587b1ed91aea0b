// Messages to the user on stderr.
#ifndef POPRT_BASE_LOG_H_
#define POPRT_BASE_LOG_H_

#include <string>

namespace poprt {

// Writes "poprt: <message>\n" in one system call, so that lines of several
// processes do not mix.
void say(const std::string& message);

// Writes text as it is.  Returns how many bytes were written; errno tells why
// not all.  All calls together wait at most a second for a reader.  Writes
// nothing where stderr is not the file any more that it was when the library
// was loaded (open_files.h).  Raises no signal.
size_t write_stderr(const std::string& text);

}  // namespace poprt

#endif  // POPRT_BASE_LOG_H_
