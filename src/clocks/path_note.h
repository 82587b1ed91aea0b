// PathNote: what is known of the longest path to an event, besides its length:
// what it is made of, and how long it would be without some regions
// (POPRT_PATH).  It goes wherever clocks go: a copy lies in each
// synchronisation object, and messages carry it as further entries.
//
// The path is made of parts, by region and rank.  Their times add up to the
// path's length exactly.  Their number is bounded: where there would be more,
// the smallest of a region lose their rank, then the smallest regions their
// name.
#ifndef POPRT_CLOCKS_PATH_NOTE_H_
#define POPRT_CLOCKS_PATH_NOTE_H_

#include <cstdint>

#include "base/path_choice.h"
#include "base/sequence.h"
#include "clocks/clock_message.h"
#include "states/states.h"

namespace poprt {

// What a part of the path is, besides the key of the innermost region in which
// there was useful time (Global: in none): time in MPI or OpenMP that is not
// waiting for somebody who is late, and what has lost its name.  Time in OpenMP
// also has the key of its construct, where these are told apart
// (model/construct_kind.h).
inline constexpr uint64_t kPathMpi = 0x51B7'2E90'C46D'8A13;
inline constexpr uint64_t kPathOpenMp = 0x7C02'D9E5'183F'B64A;
inline constexpr uint64_t kPathOthers = 0x29E8'4F61'A7D3'0C95;
// That of time in a state; kGlobalKey: it depends on the region.
constexpr uint64_t path_key(State state) {
  if (state == State::kUseful) return kGlobalKey;
  if (state == State::kMpi) return kPathMpi;
  if (state == State::kOmp) return kPathOpenMp;
  return kPathOthers + 1 + static_cast<uint64_t>(state);
}

struct PathPart {
  static constexpr int64_t kAnyRank = -1;
  SharedWord<uint64_t> what = 0;
  SharedWord<int64_t> rank = kAnyRank;
  SharedWord<int64_t> ns = 0;
};

// That of a running thread is read by others at the end of the run (Sequence).
struct PathNote {
  static constexpr int kMostParts = PathEntry::kMost;
  static constexpr int kMostWithout =
      static_cast<int>(PathChoice::kMostWithout);

  // ALL of Global at the event.  0: nothing is known.
  SharedWord<int64_t> all_ns = 0;
  // The same without the useful time in each of the regions to leave out.
  SharedWord<int64_t> without_ns[kMostWithout] = {};
  SharedWord<int> count = 0;
  PathPart parts[kMostParts];

  PathNote() = default;
  // Only the parts that there are.
  PathNote(const PathNote& other) { *this = other; }
  PathNote& operator=(const PathNote& other);

  // Adds time to a part.  No part becomes negative: what `ns` < 0 takes away
  // beyond its part is taken from the largest ones.
  void add(uint64_t what, int64_t rank, int64_t ns);
  // The same if there is none.  REQUIRES: there is room.
  void append(uint64_t what, int64_t rank, int64_t ns);
  // The parts of another path, which was `partner.all_ns` long when it met this
  // one; since then `what` of `rank` has passed until `all_ns`.
  void take_over(const PathNote& partner, int64_t all_ns, uint64_t what,
                 int64_t rank);
  int64_t sum_ns() const;
  // The part, or null.
  const PathPart* find(uint64_t what, int64_t rank) const;

 private:
  void take_away(uint64_t what, int64_t rank, int64_t ns);
  void make_room();
};

// Entries of messages (clock_message.h).  `keys`: of the regions to leave out,
// of which there are `without`.
int append_to(const PathNote& note, const uint64_t* keys, int without,
              ClockEntry* entries, int stored, int capacity,
              int32_t* incomplete);
void read_from(const ClockMessage& message, const uint64_t* keys, int without,
               PathNote* note);

}  // namespace poprt

#endif  // POPRT_CLOCKS_PATH_NOTE_H_
