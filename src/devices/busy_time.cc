#include "devices/busy_time.h"

namespace poprt {

// What comes first in the order of kinds hides the rest: as long as it lasts,
// and until it begins.
BusyTime::Piece BusyTime::next(int64_t from_ns, int64_t to_ns) {
  Piece piece = {to_ns, std::nullopt};
  for (size_t kind = 0; kind < of_.size(); ++kind) {
    const BusyIntervals::Interval* const first = of_[kind].first_after(from_ns);
    if (first == nullptr) continue;
    if (first->begin_ns <= from_ns) {
      return {std::min(piece.end_ns, first->end_ns), static_cast<Busy>(kind)};
    }
    piece.end_ns = std::min(piece.end_ns, first->begin_ns);
  }
  return piece;
}

}  // namespace poprt
