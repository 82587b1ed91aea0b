// LaunchTable: the launches of which records may come, by the ids of their
// calls.
//
// Keeps the last kMost launches.  One of which nothing has come by the time
// that kMost others are known is given up: some calls launch nothing and do not
// say so, as a copy of no bytes, and records may be lost.
//
// Takes 160 KiB that the process can do without.  One caller at a time.
#ifndef POPRT_DEVICES_CUDA_LAUNCH_TABLE_H_
#define POPRT_DEVICES_CUDA_LAUNCH_TABLE_H_

#include <cstdint>

namespace poprt::cuda {

class LaunchTable {
 public:
  static constexpr int kMost = 4096;

  struct Entry {
    uint64_t id = 0;
    uint32_t context = 0;
    int16_t device = 0;       // the caller's number
    bool moves_data = false;  // as Operation::moves_data
    bool has_many = false;    // has an unknown number of records
    bool is_pending = false;  // no record has come, or more may come
    bool has_records = false;
    uint16_t next = 0;  // in the list of a hash
  };

  LaunchTable();
  ~LaunchTable();
  LaunchTable(const LaunchTable&) = delete;
  LaunchTable& operator=(const LaunchTable&) = delete;

  bool has_memory() const { return entries_ != nullptr; }

  // True: `*given_up` is a launch that made room.  REQUIRES: has_memory().
  bool add(const Entry& entry, Entry* given_up);
  // Null: it is not known, or was forgotten.
  Entry* find(uint64_t id);
  // The launch is over.
  void end(Entry& entry);
  // A record of the launch has come.
  void add_record(Entry& entry);
  // Calls `visit(entry)` for those that are pending, the oldest first.
  template <class Visit>
  void for_pending(Visit visit) {
    if (!has_memory()) return;
    for (int i = 0; i < kMost; ++i) {
      Entry& entry = entries_[1 + (added_ + static_cast<uint64_t>(i)) % kMost];
      if (entry.is_pending) visit(entry);
    }
  }

  // Launches of which no record has come.
  int waited_for() const { return waited_for_; }

 private:
  static constexpr uint16_t kNone = 0;
  static constexpr int kLists = 2 * kMost;

  static int list_of(uint64_t id);
  void unlink(uint16_t number);

  Entry* entries_;  // from 1 on, a ring
  uint16_t* lists_;
  uint64_t added_ = 0;
  int waited_for_ = 0;
};

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_LAUNCH_TABLE_H_
