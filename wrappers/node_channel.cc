#include "wrappers/node_channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace poprt::mpi {
namespace {

constexpr size_t kEntryWords = sizeof(ClockEntry) / sizeof(uint64_t);
constexpr size_t kHeadWords = 2;

}  // namespace

int new_shared_file(size_t bytes) {
  // Growing a file beyond the limit would be a signal.
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < bytes) return -1;
  // Not moved to a high number, out of the program's way: where a process has
  // threads, a larger table of files takes the kernel 20 ms.
  const int file = memfd_create("poprt", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

int open_shared_file(pid_t owner, int file) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%ld/fd/%d", static_cast<long>(owner),
                file);
  return open(path, O_RDWR | O_CLOEXEC);
}

bool is_shared_file(int file, size_t bytes) {
  struct stat about;
  return fcntl(file, F_GET_SEALS) >= 0 && fstat(file, &about) == 0 &&
         about.st_size == static_cast<off_t>(bytes);
}

void* map_shared(int file, size_t offset, size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                            file, static_cast<off_t>(offset));
  return memory == MAP_FAILED ? nullptr : memory;
}

bool OutgoingChannel::put(StreamKey key, const ClockMessage& clocks) {
  if (first_ == nullptr) return false;
  // Behind clocks that have gone by message, until the reader has them all: the
  // two ways have no common order.
  const bool behind =
      by_message_ != 0 &&
      by_message_ != first_->by_message.load(std::memory_order_acquire);
  if (!has_reader_) {
    has_reader_ = first_->has_reader.load(std::memory_order_acquire);
  }
  if (!unopened_.empty()) close_files();
  if (has_reader_ && !behind &&
      !first_->closed.load(std::memory_order_relaxed) &&
      (writer_.put(key, clocks) || (grow() && writer_.put(key, clocks)))) {
    return true;
  }
  ++by_message_;
  return false;
}

bool OutgoingChannel::grow() {
  constexpr size_t kLeast = size_t{64} << 10;
  constexpr size_t kLargest = size_t{64} << 20;
  constexpr size_t kMostBytes = size_t{1} << 30;
  const size_t bytes = std::clamp(2 * writer_.bytes(), kLeast, kLargest);
  if (total_bytes_ + bytes > kMostBytes) return false;
  const int file = new_shared_file(bytes);
  if (file < 0) return false;
  ClockRing* const next = map_ring(file, 0, bytes);
  if (next == nullptr) {
    close(file);
    return false;
  }
  ClockRing* const full = writer_.ring();
  full->next_bytes.store(bytes, std::memory_order_relaxed);
  full->next_file.store(file + 1, std::memory_order_release);
  const bool opened =
      std::none_of(unopened_.begin(), unopened_.end(),
                   [&](const Grown& grown) { return grown.ring == full; });
  if (full != first_ && opened) forget(full, writer_.bytes());
  unopened_.push_back({file, next, bytes});
  writer_ = RingWriter(next, bytes);
  total_bytes_ += bytes;
  return true;
}

// The reader has opened it, and gives its memory back once it is empty.
void OutgoingChannel::forget(ClockRing* ring, size_t bytes) {
  munmap(ring, bytes);
  total_bytes_ -= bytes;
}

void OutgoingChannel::close_files() {
  size_t kept = 0;
  for (const Grown& grown : unopened_) {
    const bool opened = grown.ring->has_reader.load(std::memory_order_acquire);
    if (opened) close(grown.file);
    if (!opened) unopened_[kept++] = grown;
    if (opened && grown.ring != writer_.ring()) forget(grown.ring, grown.bytes);
  }
  unopened_.resize(kept);
}

IncomingChannel::IncomingChannel(ClockRing* first, pid_t sender)
    : first_(first), reader_(first, kFirstRingBytes), sender_(sender) {
  if (first != nullptr) {
    first->has_reader.store(true, std::memory_order_release);
  }
}

const ClockRing::Line* IncomingChannel::front() {
  for (;;) {
    if (const ClockRing::Line* const record = reader_.front()) return record;
    ClockRing* const empty = reader_.ring();
    const int next = empty->next_file.load(std::memory_order_acquire);
    if (next == 0 || first_->closed.load(std::memory_order_relaxed)) {
      return nullptr;
    }
    // Written before the writer went on to the next ring.
    if (const ClockRing::Line* const record = reader_.front()) return record;
    const size_t bytes = empty->next_bytes.load(std::memory_order_relaxed);
    const int file = open_shared_file(sender_, next - 1);
    ClockRing* const ring = file >= 0 && is_shared_file(file, bytes)
                                ? map_ring(file, 0, bytes)
                                : nullptr;
    if (file >= 0) close(file);
    if (ring == nullptr) {
      first_->closed.store(true, std::memory_order_relaxed);
      return nullptr;
    }
    ring->has_reader.store(true, std::memory_order_release);
    if (empty != first_) {
      madvise(empty, bytes_, MADV_REMOVE);
      munmap(empty, bytes_);
    }
    reader_ = RingReader(ring, bytes);
    bytes_ = bytes;
  }
}

void IncomingChannel::keep(StreamKey key, const ClockMessage& clocks) {
  std::vector<uint64_t>& words = kept_[key].words;
  const size_t begin = words.size();
  const size_t entry_words = static_cast<size_t>(clocks.count) * kEntryWords;
  words.resize(begin + kHeadWords + entry_words);
  words[begin] = uint64_t{static_cast<uint32_t>(clocks.count)} << 32 |
                 static_cast<uint32_t>(clocks.reply_tag);
  words[begin + 1] = static_cast<uint32_t>(clocks.incomplete);
  std::memcpy(&words[begin + kHeadWords], clocks.entries,
              entry_words * sizeof(uint64_t));
}

bool IncomingChannel::take_kept(StreamKey key, ClockMessage* clocks) {
  const auto place = kept_.find(key);
  if (place == kept_.end()) return false;
  Stream& stream = place->second;
  const uint64_t* const words = &stream.words[stream.begin];
  clocks->count = static_cast<int32_t>(words[0] >> 32);
  clocks->reply_tag = static_cast<int32_t>(words[0]);
  clocks->incomplete = static_cast<int32_t>(words[1]);
  const size_t entry_words = static_cast<size_t>(clocks->count) * kEntryWords;
  std::memcpy(static_cast<void*>(clocks->entries), words + kHeadWords,
              entry_words * sizeof(uint64_t));
  stream.begin += kHeadWords + entry_words;
  if (stream.begin == stream.words.size()) kept_.erase(place);
  return true;
}

bool IncomingChannel::take(StreamKey key, ClockMessage* clocks) {
  if (first_ == nullptr) return false;
  if (!kept_.empty() && take_kept(key, clocks)) return true;
  while (const ClockRing::Line* const record = front()) {
    const StreamKey its_key = record->key;
    reader_.take(clocks);
    if (its_key == key) return true;
    keep(its_key, *clocks);
    clocks->count = 0;
  }
  return false;
}

}  // namespace poprt::mpi
