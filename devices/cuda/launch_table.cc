#include "devices/cuda/launch_table.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/mix.h"

namespace poprt::cuda {

LaunchTable::LaunchTable()
    : entries_(new (std::nothrow) Entry[kMost + 1]),
      lists_(new (std::nothrow) uint16_t[kLists]) {
  if (entries_ == nullptr || lists_ == nullptr) {
    delete[] std::exchange(entries_, nullptr);
    return;
  }
  std::fill(lists_, lists_ + kLists, kNone);
}

LaunchTable::~LaunchTable() {
  delete[] entries_;
  delete[] lists_;
}

int LaunchTable::list_of(uint64_t id) {
  return static_cast<int>(mix(id) % kLists);
}

bool LaunchTable::add(const Entry& added, Entry* given_up) {
  const auto number = static_cast<uint16_t>(1 + added_ % kMost);
  Entry& entry = entries_[number];
  const bool was_pending = entry.is_pending;
  if (was_pending) {
    *given_up = entry;
    end(entry);
  }
  if (added_ >= kMost) unlink(number);
  ++added_;
  uint16_t& list = lists_[list_of(added.id)];
  entry = added;
  entry.is_pending = true;
  entry.has_records = false;
  entry.next = std::exchange(list, number);
  ++waited_for_;
  return was_pending;
}

LaunchTable::Entry* LaunchTable::find(uint64_t id) {
  if (!has_memory()) return nullptr;
  for (uint16_t at = lists_[list_of(id)]; at != kNone; at = entries_[at].next) {
    if (entries_[at].id == id) return &entries_[at];
  }
  return nullptr;
}

void LaunchTable::end(Entry& entry) {
  if (entry.is_pending && !entry.has_records) --waited_for_;
  entry.is_pending = false;
}

void LaunchTable::add_record(Entry& entry) {
  if (!entry.has_many) return end(entry);
  if (entry.is_pending && !entry.has_records) --waited_for_;
  entry.has_records = true;
}

void LaunchTable::unlink(uint16_t number) {
  uint16_t* link = &lists_[list_of(entries_[number].id)];
  while (*link != number) link = &entries_[*link].next;
  *link = entries_[number].next;
}

}  // namespace poprt::cuda
