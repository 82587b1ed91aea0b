#include "clocks/path_note.h"

#include <algorithm>

namespace poprt {
namespace {

constexpr uint64_t kMix = 0x9E37'79B9'7F4A'7C15;

// Differs between notes with different parts.
uint64_t name_of(const PathNote& note) {
  uint64_t name = static_cast<uint64_t>(note.all_ns);
  for (int i = 0; i < note.count; ++i) {
    const PathPart& part = note.parts[i];
    const int64_t rank = part.rank;
    const int64_t ns = part.ns;
    for (const uint64_t word :
         {uint64_t{part.what}, static_cast<uint64_t>(rank),
          static_cast<uint64_t>(ns)}) {
      name = (name ^ word ^ (name >> 29)) * kMix;
    }
  }
  return name;
}

}  // namespace

PathNote& PathNote::operator=(const PathNote& other) {
  all_ns = other.all_ns;
  std::copy_n(other.without_ns, kMostWithout, without_ns);
  const int parts_count = other.count;
  std::copy_n(other.parts, parts_count, parts);
  count = parts_count;
  return *this;
}

const PathPart* PathNote::find(uint64_t what, int64_t rank) const {
  const PathPart* const end = parts + count;
  const PathPart* const found =
      std::find_if(parts, end, [&](const PathPart& part) {
        return part.what == what && part.rank == rank;
      });
  return found == end ? nullptr : found;
}

void PathNote::add(uint64_t what, int64_t rank, int64_t ns) {
  if (ns == 0) return;
  if (ns < 0) return take_away(what, rank, -ns);
  for (int i = 0; i < count; ++i) {
    if (parts[i].what == what && parts[i].rank == rank) {
      parts[i].ns += ns;
      return;
    }
  }
  if (count == kMostParts) make_room();
  append(what, rank, ns);
}

// What another thread's stamp from before the last event takes back may have no
// part of its own, or one that is too small.
void PathNote::take_away(uint64_t what, int64_t rank, int64_t ns) {
  PathPart* const end = parts + count;
  PathPart* part = std::find_if(parts, end, [&](const PathPart& each) {
    return each.what == what && each.rank == rank;
  });
  while (ns > 0) {
    if (part == end) {
      part = std::max_element(
          parts, end,
          [](const PathPart& a, const PathPart& b) { return a.ns < b.ns; });
      if (part == end || part->ns <= 0) return;
    }
    const int64_t taken_ns = std::min<int64_t>(ns, part->ns);
    part->ns += -taken_ns;
    ns -= taken_ns;
    part = end;
  }
}

void PathNote::append(uint64_t what, int64_t rank, int64_t ns) {
  PathPart& part = parts[count];
  part.what = what;
  part.rank = rank;
  part.ns = ns;
  count += 1;
}

// The smallest part with a rank joins those of its region whose ranks are not
// known; if no part has a rank, the smallest region joins the others.
void PathNote::make_room() {
  while (count == kMostParts) {
    int least = -1;
    const auto smaller = [&](int i) {
      return least < 0 || parts[i].ns < parts[least].ns;
    };
    for (int i = 0; i < count; ++i) {
      if (parts[i].rank != PathPart::kAnyRank && smaller(i)) least = i;
    }
    const bool has_rank = least >= 0;
    for (int i = 0; i < count && !has_rank; ++i) {
      if (parts[i].what != kPathOthers && smaller(i)) least = i;
    }
    const PathPart part = parts[least];
    count += -1;
    parts[least] = parts[count];
    add(has_rank ? uint64_t{part.what} : kPathOthers, PathPart::kAnyRank,
        part.ns);
  }
}

int64_t PathNote::sum_ns() const {
  int64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += parts[i].ns;
  return sum;
}

void PathNote::take_over(const PathNote& partner, int64_t until_ns,
                         uint64_t what, int64_t rank) {
  count = partner.count;
  std::copy_n(partner.parts, partner.count, parts);
  // A message may have had no room for all of them.
  add(kPathOthers, PathPart::kAnyRank, partner.all_ns - partner.sum_ns());
  add(what, rank, until_ns - partner.all_ns);
}

int append_to(const PathNote& note, const uint64_t* keys, int without,
              ClockEntry* entries, int stored, int capacity,
              int32_t* incomplete) {
  for (int i = 0; i < without; ++i) {
    if (note.without_ns[i] <= 0) continue;
    if (stored >= capacity) {
      *incomplete = 1;
      return stored;
    }
    entries[stored++] = ClockEntry::of(EntryKind::kAllWithoutRegion, keys[i],
                                       note.without_ns[i]);
  }
  // Only the longest messages have room for the parts.
  if (note.count > 0 && capacity < ClockMessage::kCapacity) *incomplete = 1;
  if (*incomplete != 0) return stored;
  const uint64_t name = name_of(note);
  for (int i = 0; i < note.count; ++i) {
    const PathPart& part = note.parts[i];
    const PathEntry its = {name, i, note.all_ns, part.what, part.rank, part.ns};
    entries[stored++] = its.entry();
  }
  return stored;
}

void read_from(const ClockMessage& message, const uint64_t* keys, int without,
               PathNote* note) {
  for (int i = 0; i < message.count; ++i) {
    const ClockEntry& entry = message.entries[i];
    if (entry.region == kGlobalKey) {
      note->all_ns = entry.all_ns;
    } else if (entry.kind() == EntryKind::kPathPart) {
      if (note->count >= PathNote::kMostParts) continue;
      const PathEntry part = PathEntry::of(entry);
      note->append(part.what, part.rank, part.ns);
    } else if (entry.kind() == EntryKind::kAllWithoutRegion) {
      for (int z = 0; z < without; ++z) {
        if (entry.its_region() == keys[z]) {
          note->without_ns[z] = entry.clock_ns();
        }
      }
    }
  }
}

}  // namespace poprt
