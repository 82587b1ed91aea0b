// Calls of POSIX I/O to files, in useful time, if the user asks for them
// (POPRT_IO=posix).
#ifndef POPRT_MODULES_POSIX_IO_POSIX_IO_H_
#define POPRT_MODULES_POSIX_IO_POSIX_IO_H_

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::posix_io {

void start(const Options& options, Started* started);

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_POSIX_IO_H_
