#include "clocks/barrier_clock.h"

namespace poprt {

BarrierClock::Seat* BarrierClock::find_seat(uint32_t thread) {
  for (uint32_t i = 0; i < kSeats; ++i) {
    const uint32_t number = (thread + i) % kSeats;
    Seat& seat = seats_[number];
    uint32_t owner = seat.owner.load(std::memory_order_relaxed);
    if (owner == 0 && seat.owner.compare_exchange_strong(owner, thread)) {
      mark_used(number);
      return &seat;
    }
    if (owner == thread) return &seat;
  }
  return nullptr;
}

}  // namespace poprt
