// PendingLaunches: the operations of a device that are not known to be over.
//
// No operation begins before its launch, so what the device did before the
// oldest of these is final.  Of launches beyond kMost only the number and the
// time of the first are known: nothing behind that time is final, until as many
// operations are over that no launch is known of.
//
// Takes memory that the process can do without, 176 KiB.  One caller at a time.
#ifndef POPRT_DEVICES_PENDING_LAUNCHES_H_
#define POPRT_DEVICES_PENDING_LAUNCHES_H_

#include <cstdint>
#include <limits>

#include "devices/operation.h"

namespace poprt {

class PendingLaunches {
 public:
  static constexpr int kMost = 4096;
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  struct Entry {
    Launch launch;
    uint16_t set = 0;          // the caller's number: of the open regions
    bool has_records = false;  // some operation of it is known
    // The neighbours by time, as numbers of entries.
    uint16_t before = 0;
    uint16_t after = 0;
  };

  PendingLaunches();
  ~PendingLaunches();
  PendingLaunches(const PendingLaunches&) = delete;
  PendingLaunches& operator=(const PendingLaunches&) = delete;

  // Otherwise all launches are beyond the bound.
  bool has_memory() const { return entries_ != nullptr; }

  // False: it is beyond the bound, and is counted only.  REQUIRES: no other one
  // that is pending has its id.
  bool add(const Launch& launch, uint16_t set);
  // Null: it is not known.
  Entry* find(uint64_t id);
  // It is over.
  void remove(Entry* entry);
  // An operation is over of whose launch nothing is known.
  void remove_unknown();
  // Calls `visit(entry)` for those that belong to the stream, or to any one,
  // and were launched until then; they are over.
  template <class Visit>
  void remove_until(const uint64_t* stream, int64_t until_ns, Visit visit) {
    if (!has_memory()) return;
    for (uint16_t at = entries_[kList].after; at != kList;) {
      Entry* const entry = entries_ + at;
      if (entry->launch.time_ns > until_ns) break;
      at = entry->after;
      if (stream != nullptr && *stream != entry->launch.stream) continue;
      visit(*entry);
      remove(entry);
    }
  }
  // Those beyond the bound are over, too.  Their number.
  int64_t remove_beyond();

  // The time of the oldest; kNone: none is pending.
  int64_t oldest_ns() const;
  int count() const { return count_; }
  int64_t beyond() const { return beyond_; }

 private:
  // Entry 0 is the begin and the end of the list by time.
  static constexpr uint16_t kList = 0;
  static constexpr uint32_t kPlaces = 2 * kMost;

  static uint32_t place_of(uint64_t id);
  void forget_place(uint64_t id);

  Entry* entries_;
  uint16_t* places_;       // by a hash of the id: numbers of entries; 0: none
  uint16_t free_ = kList;  // the first of a list
  int count_ = 0;
  int64_t beyond_ = 0;
  int64_t first_beyond_ns_ = kNone;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_PENDING_LAUNCHES_H_
