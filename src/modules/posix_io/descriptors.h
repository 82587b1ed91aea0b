// Which descriptors are files: regular files and block devices.  Pipes,
// sockets, terminals and other devices are not, nor are directories.
#ifndef POPRT_MODULES_POSIX_IO_DESCRIPTORS_H_
#define POPRT_MODULES_POSIX_IO_DESCRIPTORS_H_

#include <cstdio>

namespace poprt::modules::posix_io {

// False for a descriptor that is not open.  Leaves errno as it was.  May be
// called in signal handlers.
bool is_file(int descriptor);

// The descriptor may be another file from now on.
void forget(int descriptor);

// -1 for a stream without one.  Leaves errno as it was.
int descriptor_of(FILE* stream);

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_DESCRIPTORS_H_
