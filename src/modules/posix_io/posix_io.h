// Calls of POSIX I/O to files, in useful time, if the user asks for them
// (POPRT_IO=posix).
//
// Their time is an amount and no state.  A call raises no event, except where a
// region was opened or closed since the thread's last one.  So a call in a
// signal handler, or inside another call, disturbs nothing.
#ifndef POPRT_MODULES_POSIX_IO_POSIX_IO_H_
#define POPRT_MODULES_POSIX_IO_POSIX_IO_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::posix_io {

void start(const Options& options, Started* started);

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_POSIX_IO_H_
