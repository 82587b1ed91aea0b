#include "measure/file_systems.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "base/kernel_text.h"
#include "base/no_cancellation.h"
#include "base/words.h"

namespace poprt {
namespace {

// On machines with very many mounts the last ones have no name.
constexpr size_t kLongestMountinfo = size_t{1} << 20;

constinit std::atomic<int> g_threads{0};

void add(int64_t value, std::atomic<int64_t>* sum) {
  if (value > 0) sum->fetch_add(value, std::memory_order_relaxed);
}

// Taken in order; a device is there once.
struct Known {
  std::atomic<bool> taken;
  std::atomic<bool> ready;
  dev_t device;
  int64_t mount;  // its number in mountinfo; negative if it is not known
};
constinit Known g_known[kNoFileSystem] = {};

// "mnt_id:\t36" in /proc/self/fdinfo of the descriptor: the device of a file
// need not be that of its mount (btrfs, overlays).
int64_t mount_of(int descriptor) {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[256];
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return -1;
  text[length] = '\0';
  const char* const found = std::strstr(text, "mnt_id:");
  return found == nullptr ? -1 : std::atoi(found + sizeof "mnt_id:" - 1);
}

// The kernel writes a space as \040, and so on.
std::string without_escapes(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](size_t k) {
      return k < text.size() && text[k] >= '0' && text[k] <= '7';
    };
    if (text[i] == '\\' && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      result += static_cast<char>(
          std::strtol(text.substr(i + 1, 3).c_str(), nullptr, 8));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

int place_of_device(dev_t device, int descriptor) {
  for (int place = 0; place < kNoFileSystem; ++place) {
    Known& known = g_known[place];
    if (known.ready.load(std::memory_order_acquire)) {
      if (known.device == device) return place;
      continue;
    }
    if (known.taken.exchange(true, std::memory_order_acq_rel)) {
      // Another thread is about to fill it, or this one in an interrupted call.
      return kNoFileSystem;
    }
    const int saved = errno;
    const NoCancellation whole;
    known.mount = mount_of(descriptor);
    errno = saved;
    known.device = device;
    known.ready.store(true, std::memory_order_release);
    return place;
  }
  return kNoFileSystem;
}

int place_of_path(const char* path) {
  const int saved = errno;
  int place = kNoFileSystem;
  // Without access to what is in the file.
  const int file = open(path, O_PATH | O_CLOEXEC);
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0) {
    place = place_of_device(status.st_dev, file);
  }
  if (file >= 0) close(file);
  errno = saved;
  return place;
}

FileSystemSums::Sums& FileSystemSums::own_sums(int place) {
  static constinit thread_local int own_shard = -1;
  if (own_shard < 0) {
    own_shard = g_threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  }
  return shards_[own_shard].sums[place];
}

void FileSystemSums::add_call(int place, int64_t time_ns) {
  Sums& sums = own_sums(place);
  add(1, &sums.calls);
  add(time_ns, &sums.time_ns);
}

void FileSystemSums::add_bytes(int place, int64_t read, int64_t written) {
  Sums& sums = own_sums(place);
  add(read, &sums.read_bytes);
  add(written, &sums.written_bytes);
}

void FileSystemSums::forget() {
  for (Shard& shard : shards_) {
    for (Sums& sums : shard.sums) {
      for (auto* const sum : {&sums.calls, &sums.read_bytes,
                              &sums.written_bytes, &sums.time_ns}) {
        sum->store(0, std::memory_order_relaxed);
      }
    }
  }
}

Mount mount_in(const std::string& mountinfo, int64_t number, dev_t device) {
  const std::string wanted_number = std::to_string(number);
  const std::string wanted_device =
      std::to_string(major(device)) + ":" + std::to_string(minor(device));
  Mount of_device;
  for (const std::string& line : words_of(mountinfo, '\n')) {
    const std::vector<std::string> words = words_of(line, ' ');
    // 36 35 98:0 /root /point options ... - type source options
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || dash == words.end() || dash + 1 == words.end()) {
      continue;
    }
    const Mount mount = {without_escapes(words[4]), *(dash + 1)};
    if (words[0] == wanted_number) return mount;
    if (words[2] == wanted_device) of_device = mount;
  }
  return of_device;
}

std::vector<FileSystem> FileSystemSums::list() const {
  return list(kernel_text("/proc/self/mountinfo", kLongestMountinfo));
}

std::vector<FileSystem> FileSystemSums::list(
    const std::string& mountinfo) const {
  std::map<std::pair<std::string, std::string>, FileSystem> by_name;
  for (int place = 0; place < kFileSystems; ++place) {
    FileSystem sum;
    for (const Shard& shard : shards_) {
      const Sums& sums = shard.sums[place];
      sum.calls += sums.calls.load(std::memory_order_relaxed);
      sum.read_bytes += sums.read_bytes.load(std::memory_order_relaxed);
      sum.written_bytes += sums.written_bytes.load(std::memory_order_relaxed);
      sum.time_ns += sums.time_ns.load(std::memory_order_relaxed);
    }
    if (sum.calls == 0) continue;
    Mount mount;
    if (place != kNoFileSystem) {
      mount = mount_in(mountinfo, g_known[place].mount, g_known[place].device);
    }
    FileSystem& all = by_name[{mount.point, mount.type}];
    all.mount_point = mount.point;
    all.type = mount.type;
    all.calls += sum.calls;
    all.read_bytes += sum.read_bytes;
    all.written_bytes += sum.written_bytes;
    all.time_ns += sum.time_ns;
  }
  std::vector<FileSystem> result;
  for (auto& [name, each] : by_name) result.push_back(std::move(each));
  return result;
}

}  // namespace poprt
