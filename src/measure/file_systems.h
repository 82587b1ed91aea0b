// What file I/O did in each file system: tables of fixed size, which threads
// add to.
#ifndef POPRT_MEASURE_FILE_SYSTEMS_H_
#define POPRT_MEASURE_FILE_SYSTEMS_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "model/totals.h"

namespace poprt {

// A place in the table.  The last one is for what belongs to no file system
// that is known: files that could not be opened, and those of further file
// systems.
inline constexpr int kFileSystems = 16;
inline constexpr int kNoFileSystem = kFileSystems - 1;

// The place of the file system with this device.  The first time, the kernel is
// asked where it is mounted, which takes some microseconds.  May be called in
// signal handlers; leaves errno as it was.
int place_of_device(dev_t device, int descriptor);

// The same for a file by its name, of which the kernel is asked each time.
int place_of_path(const char* path);

// What one kind of I/O did in each place.  All zero at first; no destructor.
class FileSystemSums {
 public:
  // Any thread, also in signal handlers.
  void add_call(int place, int64_t time_ns);
  void add_bytes(int place, int64_t read, int64_t written);
  // Nothing was done so far.
  void forget();
  // Those with calls, by mount point and type.
  std::vector<FileSystem> list() const;
  // As `mountinfo` names them: the text of /proc/self/mountinfo.
  std::vector<FileSystem> list(const std::string& mountinfo) const;

 private:
  // Threads add to different ones, so that they seldom wait for a cache line.
  static constexpr int kShards = 32;
  struct Sums {
    std::atomic<int64_t> calls;
    std::atomic<int64_t> read_bytes;
    std::atomic<int64_t> written_bytes;
    std::atomic<int64_t> time_ns;
  };
  struct alignas(64) Shard {
    Sums sums[kFileSystems];
  };
  Sums& own_sums(int place);

  Shard shards_[kShards] = {};
};

// The mount point and the type in a line of `mountinfo`: the one with this
// number, or else the last one of the device; empty if there is none.
struct Mount {
  std::string point;
  std::string type;
};
Mount mount_in(const std::string& mountinfo, int64_t number, dev_t device);

}  // namespace poprt

#endif  // POPRT_MEASURE_FILE_SYSTEMS_H_
