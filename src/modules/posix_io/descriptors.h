// Which descriptors are files: regular files and block devices.  Pipes,
// sockets, terminals and other devices are not, nor are directories.
#ifndef POPRT_MODULES_POSIX_IO_DESCRIPTORS_H_
#define POPRT_MODULES_POSIX_IO_DESCRIPTORS_H_

#include <cstdio>

namespace poprt::modules::posix_io {

// The place of the file's file system (file_systems.h).  kNotAFile also for a
// descriptor that is not open.  Leaves errno as it was.  May be called in
// signal handlers.
inline constexpr int kNotAFile = -1;
// As the kernel says now.
int present_file_system_of(int descriptor);
// As it was when this was first asked, until forget().  A descriptor that was
// closed by a way that is not seen (a system call of the program's own) may be
// something else.
int file_system_of(int descriptor);

// The descriptors may be other files from now on.
void forget(int descriptor);
void forget_range(unsigned first, unsigned last);

// -1 for a stream without one.  Leaves errno as it was.
int descriptor_of(FILE* stream);
inline int descriptor_of(int descriptor) { return descriptor; }

// What a call returns that could not open a file.
inline bool is_none(const FILE* stream) { return stream == nullptr; }
inline bool is_none(int descriptor) { return descriptor < 0; }

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_DESCRIPTORS_H_
