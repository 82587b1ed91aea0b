// What POSIX I/O did in each file system: a table of fixed size, which threads
// add to.
#ifndef POPRT_MODULES_POSIX_IO_FILE_SYSTEMS_H_
#define POPRT_MODULES_POSIX_IO_FILE_SYSTEMS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt::modules::posix_io {

// A place in the table.  The last one is for what belongs to no file system
// that is known: files that could not be opened, and those of further file
// systems.
inline constexpr int kFileSystems = 16;
inline constexpr int kNoFileSystem = kFileSystems - 1;

// The place of the file system with this device.  The first time, the kernel is
// asked where it is mounted, which takes some microseconds.  May be called in
// signal handlers; leaves errno as it was.
int place_of_device(dev_t device, int descriptor);

// Any thread, also in signal handlers.
void add_call(int place, int64_t time_ns);
void add_bytes(int place, int64_t read, int64_t written);

// Nothing was done so far.
void forget_calls();

// Those with calls, by mount point and type, as `mountinfo` names them: the
// text of /proc/self/mountinfo.
std::vector<FileSystem> file_systems(const std::string& mountinfo);

// The mount point and the type in a line of `mountinfo`: the one with this
// number, or else the last one of the device; empty if there is none.
struct Mount {
  std::string point;
  std::string type;
};
Mount mount_in(const std::string& mountinfo, int64_t number, dev_t device);

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_FILE_SYSTEMS_H_
