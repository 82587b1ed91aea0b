#include "devices/pending_launches.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/mix.h"

namespace poprt {

PendingLaunches::PendingLaunches()
    : entries_(new (std::nothrow) Entry[kMost + 1]),
      places_(new (std::nothrow) uint16_t[kPlaces]) {
  if (entries_ == nullptr || places_ == nullptr) {
    delete[] std::exchange(entries_, nullptr);
    return;
  }
  std::fill(places_, places_ + kPlaces, uint16_t{0});
  for (int i = kMost; i > 0; --i) {
    entries_[i].after = std::exchange(free_, static_cast<uint16_t>(i));
  }
}

PendingLaunches::~PendingLaunches() {
  delete[] entries_;
  delete[] places_;
}

uint32_t PendingLaunches::place_of(uint64_t id) {
  return static_cast<uint32_t>(mix(id) % kPlaces);
}

bool PendingLaunches::add(const Launch& launch, uint16_t set) {
  if (free_ == kList) {
    first_beyond_ns_ = std::min(first_beyond_ns_, launch.time_ns);
    ++beyond_;
    return false;
  }
  const uint16_t own = free_;
  Entry& entry = entries_[own];
  free_ = entry.after;
  // Launches of several threads come nearly in order.
  uint16_t before = entries_[kList].before;
  while (before != kList && entries_[before].launch.time_ns > launch.time_ns) {
    before = entries_[before].before;
  }
  const uint16_t after = entries_[before].after;
  entry = {launch, set, false, before, after};
  entries_[before].after = entries_[after].before = own;

  uint32_t place = place_of(launch.id);
  while (places_[place] != 0) place = (place + 1) % kPlaces;
  places_[place] = own;
  ++count_;
  return true;
}

PendingLaunches::Entry* PendingLaunches::find(uint64_t id) {
  if (!has_memory()) return nullptr;
  for (uint32_t place = place_of(id); places_[place] != 0;
       place = (place + 1) % kPlaces) {
    Entry& entry = entries_[places_[place]];
    if (entry.launch.id == id) return &entry;
  }
  return nullptr;
}

void PendingLaunches::remove(Entry* entry) {
  forget_place(entry->launch.id);
  entries_[entry->before].after = entry->after;
  entries_[entry->after].before = entry->before;
  entry->after = std::exchange(free_, static_cast<uint16_t>(entry - entries_));
  --count_;
}

// What was put behind this place because it was taken moves up.
void PendingLaunches::forget_place(uint64_t id) {
  uint32_t hole = place_of(id);
  while (entries_[places_[hole]].launch.id != id) hole = (hole + 1) % kPlaces;
  for (uint32_t at = (hole + 1) % kPlaces; places_[at] != 0;
       at = (at + 1) % kPlaces) {
    const uint32_t wanted = place_of(entries_[places_[at]].launch.id);
    if ((at - wanted) % kPlaces < (at - hole) % kPlaces) continue;
    places_[hole] = places_[at];
    hole = at;
  }
  places_[hole] = 0;
}

void PendingLaunches::remove_unknown() {
  if (beyond_ > 0 && --beyond_ == 0) first_beyond_ns_ = kNone;
}

int64_t PendingLaunches::remove_beyond() {
  first_beyond_ns_ = kNone;
  return std::exchange(beyond_, 0);
}

int64_t PendingLaunches::oldest_ns() const {
  const int64_t known_ns =
      count_ > 0 ? entries_[entries_[kList].after].launch.time_ns : kNone;
  return std::min(known_ns, first_beyond_ns_);
}

}  // namespace poprt
