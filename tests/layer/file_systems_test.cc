// What file I/O did in each file system, with made-up mounts and with those of
// this machine.
#include "measure/file_systems.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/kernel_text.h"

namespace poprt {
namespace {

constexpr char kMounts[] =
    "22 28 0:21 / /proc rw,nosuid - proc proc rw\n"
    "28 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "31 28 0:45 / /data\\040of\\040all rw master:2 propagate_from:1 - nfs4 "
    "server:/data rw\n"
    "32 28 0:45 /sub /home rw - nfs4 server:/data rw\n"
    "broken line\n";

TEST(Mounts, AreFoundByNumberOrDevice) {
  const Mount by_number = mount_in(kMounts, 31, makedev(9, 9));
  EXPECT_EQ("/data of all", by_number.point);
  EXPECT_EQ("nfs4", by_number.type);
  const Mount by_device = mount_in(kMounts, -1, makedev(8, 1));
  EXPECT_EQ("/", by_device.point);
  EXPECT_EQ("ext4", by_device.type);
  EXPECT_EQ("", mount_in(kMounts, -1, makedev(9, 9)).point);
  EXPECT_EQ("", mount_in("", 28, makedev(8, 1)).point);
}

TEST(FileSystems, AddUpWhatWasDoneInThem) {
  char name[] = "/tmp/poprt-files-XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  unlink(name);
  struct stat status;
  ASSERT_EQ(0, fstat(file, &status));
  const std::string mounts =
      kernel_text("/proc/self/mountinfo", size_t{1} << 20);

  static FileSystemSums sums;
  EXPECT_TRUE(sums.list(mounts).empty());
  errno = 7;
  const int place = place_of_device(status.st_dev, file);
  EXPECT_EQ(7, errno);
  EXPECT_EQ(place, place_of_device(status.st_dev, file));
  ASSERT_NE(kNoFileSystem, place);
  EXPECT_EQ(place, place_of_path("/tmp"));
  EXPECT_EQ(kNoFileSystem, place_of_path("/tmp/poprt-no-such-file"));
  EXPECT_EQ(7, errno);
  sums.add_call(place, 100);
  sums.add_call(place, 50);
  sums.add_bytes(place, 7, 0);
  sums.add_bytes(place, 0, 9);
  sums.add_bytes(place, -1, -1);  // of a call that has failed
  sums.add_call(kNoFileSystem, 3);
  const std::vector<FileSystem> all = sums.list(mounts);
  ASSERT_EQ(2u, all.size());
  EXPECT_EQ("", all[0].mount_point);
  EXPECT_EQ(1, all[0].calls);
  EXPECT_EQ(3, all[0].time_ns);
  // The file is below its mount point, and nothing else was found of it.
  EXPECT_EQ(0u, std::string(name).find(all[1].mount_point));
  EXPECT_NE("", all[1].type);
  EXPECT_EQ(2, all[1].calls);
  EXPECT_EQ(150, all[1].time_ns);
  EXPECT_EQ(7, all[1].read_bytes);
  EXPECT_EQ(9, all[1].written_bytes);
  sums.forget();
  EXPECT_TRUE(sums.list(mounts).empty());
  close(file);
}

TEST(FileSystems, ThatAreTooManyHaveNoPlaceOfTheirOwn) {
  for (unsigned i = 0; i < 2 * kFileSystems; ++i) {
    const int place = place_of_device(makedev(77, i), -1);
    EXPECT_LE(place, kNoFileSystem);
    if (i >= kFileSystems) {
      EXPECT_EQ(kNoFileSystem, place);
    }
  }
}

}  // namespace
}  // namespace poprt
