// Whether a stream is a terminal, and what its user wants to see there.  The
// answers come from the environment and the kernel at the time of the call.
#ifndef POPRT_BASE_TERMINAL_H_
#define POPRT_BASE_TERMINAL_H_

#include <cstddef>

namespace poprt {

// On a terminal, unless NO_COLOR (https://no-color.org) is set or TERM is dumb
// or missing.  CLICOLOR_FORCE colours what is not a terminal, too.
bool color_wanted(int stream);

// The width of the terminal: COLUMNS, if the user has exported it, else what
// the kernel knows.  0 if the stream is no terminal or the width is not known.
size_t terminal_columns(int stream);

}  // namespace poprt

#endif  // POPRT_BASE_TERMINAL_H_
