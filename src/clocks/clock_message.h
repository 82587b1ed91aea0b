// ClockMessage: the global clocks of a thread and of its process at one event,
// as they are sent to other processes.
//
// Regions are named by their keys, because processes may meet them in different
// orders.  A message is only as long as its regions need.  The layout is that
// of one build of the library on one kind of machine.
#ifndef POPRT_CLOCKS_CLOCK_MESSAGE_H_
#define POPRT_CLOCKS_CLOCK_MESSAGE_H_

#include <cstddef>
#include <cstdint>

#include "clocks/clock_entry.h"
#include "clocks/clock_set.h"

namespace poprt {

struct ClockMessage {
  // The largest number of entries but for parts of a path, which have room
  // behind these.  The entries of regions come first.
  static constexpr int kCapacity = kTravellingRegions;

  int32_t count = 0;
  // Not 0: some regions are missing, because the message had to be short.
  int32_t incomplete = 0;
  // For the MPI layer.  In a message: the tag for an answer to the sender, or
  // the tag of a stream that is given up, or 0.  In a reduction: 1 + the rank
  // whose clocks are the latest, or 0.
  int32_t reply_tag = 0;
  // In a union, so that the entries are not initialised.  Only the first
  // `count` entries are read.
  static constexpr int kLongest = kCapacity + PathEntry::kMost;
  union {
    ClockEntry entries[kLongest];
  };
  // Not sent: the slots that the regions of the first entries most likely have
  // on this process.  A wrong slot costs only time.
  static constexpr int kLikely = 4;
  int16_t likely_slot[kLikely] = {0, 1, 2, 3};

  ClockMessage() {}
  ClockMessage(const ClockMessage& other);
  ClockMessage& operator=(const ClockMessage& other);

  static constexpr size_t bytes_for(int entries_count) {
    return offsetof(ClockMessage, entries) +
           static_cast<size_t>(entries_count) * sizeof(ClockEntry);
  }
  size_t bytes() const { return bytes_for(count); }

  // Adds a region or raises its clocks.  If that needs more than `capacity`
  // entries, the region is left out and the message is marked incomplete.
  void raise(const ClockEntry& entry, int capacity);

 private:
  void append(const ClockEntry& entry, int capacity);
  bool takes_path(const ClockEntry& entry);
  int parts_of_path() const;
};

// Sets `into` to the maximum of both, region by region.  Associative and
// commutative unless the result is incomplete.
void merge(ClockMessage& into, const ClockMessage& from, int capacity);

}  // namespace poprt

#endif  // POPRT_CLOCKS_CLOCK_MESSAGE_H_
