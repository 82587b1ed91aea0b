// Calls of the program for its regions, its metadata and its notes.
#include <string>

#include "base/memory.h"
#include "measure/process.h"
#include "model/noted.h"

namespace poprt {
namespace {

constexpr size_t kLongestKey = 127;
constexpr size_t kLongestValue = 1023;
// The notes have these numbers.
static_assert(kMaxRegions == 512 && RegionNames::kMost == 1024 &&
              kLongestRegionName == 127 && ProcessTexts::kMostMetadata == 64);

}  // namespace

void Process::note_no_room(std::string_view name) {
  attempt_with_memory([&] {
    note_first(region_count() < kMaxRegions ? kNoteWords<"region_memory">
                                            : kNoteWords<"region_limit">,
               name);
  });
}

void Process::note_shared(std::string_view name) {
  attempt_with_memory([&] { note(noted<"region_shared">(name)); });
}

void Process::note_stray(std::string_view name) {
  attempt_with_memory([&] { note(noted<"region_stray_stop">(name)); });
}

// Opens a region by its name and key; `hint` is its likely place in the table.
// Returns its place, or -1 if it cannot be measured.  Inlined like the next
// two: calls would be 4 % of an event.
[[gnu::always_inline]] inline int Process::open(Thread& thread,
                                                std::string_view name,
                                                uint64_t key, int hint) {
  enum { kFine, kDropped, kShared } result = kFine;
  int slot = hint;
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return hint;
    if (slot < 0 || region(slot).key() != key) slot = find_slot(key);
    if (slot < 0) slot = regions_.add(name, key);
    if (slot < 0) {
      ++misuse_.regions_dropped;
      result = kDropped;
    } else {
      Region& r = regions_.at(slot);
      if (r.name().empty()) attempt_with_memory([&] { r.set_name(name); });
      if (r.depth() > 0 && r.opener() != &thread) {
        ++misuse_.shared_starts;
        result = kShared;
      }
      if (r.start()) set_open(slot, true, thread);
    }
  }
  thread.book(thread.last_event_ns());
  if (result == kDropped) note_no_room(name);
  if (result == kShared) note_shared(name);
  return slot;
}

[[gnu::always_inline]] inline void Process::close(Thread& thread,
                                                  std::string_view name,
                                                  uint64_t key, int hint) {
  bool stray = true;
  {
    const MutexLock lock(mutex_);
    if (!lock.held()) return;
    int slot = hint;
    if (slot < 0 || region(slot).key() != key) slot = find_slot(key);
    Region* const r = slot < 0 ? nullptr : &regions_.at(slot);
    if (r != nullptr && r->depth() > 0) {
      stray = false;
      if (r->stop()) set_open(slot, false, thread);
    } else if (slot < 0 && region_count() == kMaxRegions) {
      stray = false;  // of a start that was refused and counted
    } else {
      ++misuse_.stops_without_start;
    }
  }
  thread.book(thread.last_event_ns());
  if (stray) note_stray(name);
}

// The name in the form that is kept; empty, with a note, if it has none.
[[gnu::always_inline]] inline std::string_view Process::checked_name(
    std::string_view name, RoomForName& room) {
  if (name.empty()) {
    refuse(&Quality::regions_dropped, noted<"region_without_name">());
  }
  if (name.size() > kLongestRegionName) {
    name = cut_name(name, room);
    note(noted<"region_name_cut">(name));
  }
  return name;
}

void Process::region_start(Thread& thread, std::string_view name) {
  RoomForName room;
  name = checked_name(name, room);
  if (name.empty()) return;
  open(thread, name, text_hash(name.data(), name.size()), -1);
}

void Process::region_stop(Thread& thread, std::string_view name) {
  RoomForName room;
  name = kept_name(name, room);
  close(thread, name, text_hash(name.data(), name.size()), -1);
}

int Process::region_find(std::string_view name) {
  RoomForName room;
  name = checked_name(name, room);
  if (name.empty()) return kNoRegion;
  const int number = names_.find_or_add(
      name, text_hash(name.data(), name.size()),
      [&](std::string_view text) { return selection_.selects(text); });
  if (number == RegionNames::kFull) {
    count_misuse(&Quality::regions_dropped);
    note_first(kNoteWords<"region_handles">, name);
  }
  return number > 0 ? number : kNoRegion;
}

void Process::region_enter(Thread& thread, int handle) {
  if (handle == kNoRegion) return;
  RegionName* const name = names_.at(handle);
  if (name == nullptr) {
    return refuse(&Quality::regions_dropped, noted<"region_unknown_entered">());
  }
  const int hint = name->slot.load(std::memory_order_relaxed);
  const int slot = open(thread, name->text, name->key, hint);
  if (slot != hint) name->slot.store(slot, std::memory_order_relaxed);
}

void Process::region_leave(Thread& thread, int handle) {
  if (handle == kNoRegion) return;
  const RegionName* const name = names_.at(handle);
  if (name == nullptr) {
    return refuse(&Quality::stops_without_start,
                  noted<"region_unknown_left">());
  }
  close(thread, name->text, name->key,
        name->slot.load(std::memory_order_relaxed));
}

void Process::count_misuse(int64_t Quality::*misuse) {
  const MutexLock lock(mutex_);
  if (lock.held()) ++(misuse_.*misuse);
}

void Process::refuse(int64_t Quality::*misuse, const std::string& line) {
  count_misuse(misuse);
  note(line);
}

void Process::set_metadata(std::string_view key, std::string_view value) {
  if (key.empty()) {
    return refuse(&Quality::metadata_dropped, noted<"metadata_without_key">());
  }
  if (key.size() > kLongestKey || value.size() > kLongestValue) {
    return refuse(&Quality::metadata_dropped,
                  noted<"metadata_too_long">(key.substr(0, kLongestKey)));
  }
  const ProcessTexts::Kept kept = texts_.set_metadata(key, value);
  if (kept == ProcessTexts::Kept::kNoMemory ||
      kept == ProcessTexts::Kept::kFull) {
    count_misuse(&Quality::metadata_dropped);
  }
  if (kept == ProcessTexts::Kept::kFull) {
    note_first(kNoteWords<"metadata_limit">, key);
  }
}

}  // namespace poprt
