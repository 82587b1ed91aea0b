// MpiWaits: how long the MPI calls of a thread waited for a late partner.
//
// The clock ALL that comes with a message tells how far the longest path was
// when its sender sent it; the thread's own tells how far that was when it
// entered the call. All processes begin at 0 together, and no path is longer
// than the time that has passed, so the two stand for real time without
// synchronised clocks. A call from `entered` to `left`, in which a clock `sent`
// arrived, has waited for clamp(sent - entered, 0, left - entered). The rest of
// it is transfer, and so is the whole of a call without a partner that could be
// late. A call whose partner's clock is not known is neither.
//
// Used by its thread only. Times are in ns since the start of measurement.
#ifndef POPRT_MEASURE_MPI_WAITS_H_
#define POPRT_MEASURE_MPI_WAITS_H_

#include <algorithm>
#include <bitset>
#include <cstdint>

#include "base/bounded.h"
#include "clocks/clock_message.h"
#include "clocks/clock_set.h"
#include "measure/call_sites.h"
#include "measure/thread.h"

namespace poprt {

// A call whose partner's clocks have not come when it returned.
struct LateWait {
  int64_t call_ns = 0;         // tells calls apart: as entered_ns at first
  int64_t entered_ns = 0;      // what is before has been counted
  int64_t entered_all_ns = 0;  // the clock ALL then
  int64_t left_ns = 0;
  std::bitset<kMaxRegions> regions;  // that were open
  CallSite* site = nullptr;          // see CallSites
  // The longest path when the call returned, where it is followed.
  std::shared_ptr<const PathMoment> path;

  // What is not counted yet.
  int64_t time_ns() const { return std::max<int64_t>(0, left_ns - entered_ns); }
};

class MpiWaits {
 public:
  explicit MpiWaits(Thread& thread);

  // From now on waits are also told to `sites`, which lives as long.
  void tell(CallSites& sites) {
    sites_ = &sites;
    is_watched_ = true;
  }

  // A call begins, at `now_ns`, the thread's last event.
  void begin(int64_t now_ns) { entered_ns_ = now_ns; }

  // Merges clocks that have arrived in the call, as of the thread's last event.
  // What the call waited for them is an amount of kMpiWaiting. Returns how
  // long that was.
  [[gnu::always_inline]] int64_t merge(const ClockMessage& clocks) {
    const int64_t ahead_ns = thread_.merge(clocks);
    if (polled_ns_ != 0) [[unlikely]]
      settle_polls(ahead_ns);
    const int64_t time_ns = thread_.last_event_ns() - entered_ns_;
    // The clocks' ALL is ahead of the thread's at its entry by that more.
    const int64_t waited_ns = bounded<int64_t>(ahead_ns + time_ns, 0, time_ns);
    thread_.count(waiting_, waited_ns);
    entered_ns_ += waited_ns;
    if (is_watched_) [[unlikely]]
      tell_merge(clocks, waited_ns, time_ns - waited_ns);
    return waited_ns;
  }

  // A partner's clock is not known: the call until the thread's last event is
  // an amount of kMpiUnknown.
  void lose();

  // The clocks that the call waited for may still come, after it has returned.
  LateWait put_off() const;
  // They have come. Waits of the same call that were put off with it do not
  // count the same time again: pass them to shorten().
  // `event`: the moment at which it was put off.
  void merge_late(const ClockMessage& clocks, const Moment& event,
                  LateWait& wait);
  static void shorten(const LateWait& counted, LateWait* other);
  // As shorten(), after merge() has counted `waited_ns`.
  void shorten(int64_t waited_ns, LateWait* other) const;
  // They tell how long that call has waited, but it did not depend on them.
  void count_late(const ClockMessage& clocks, const LateWait& wait);
  // They will not come.
  void lose_late(const LateWait& wait);

  // The call that has just ended found nothing, or only looked: whether it
  // waited is known when the next clocks arrive.
  void add_poll() {
    const int64_t now_ns = thread_.last_event_ns();
    thread_.cost.looked_in_vain(entered_ns_ - last_poll_ns_,
                                now_ns - entered_ns_);
    last_poll_ns_ = now_ns;
    polled_ns_ += last_poll_ns_ - entered_ns_;
    if (is_watched_) [[unlikely]]
      tell_poll();
  }
  // What was polled for did not come by the clocks that come next.
  void forget_polls() {
    if (is_watched_ && polled_ns_ != 0) [[unlikely]]
      tell_settled_polls(0, polled_ns_);
    polled_ns_ = 0;
  }

 private:
  void settle_polls(int64_t ahead_ns);
  // For COOW, the longest path and call sites.
  void tell_merge(const ClockMessage& clocks, int64_t waited_ns,
                  int64_t transfer_ns);
  void tell_poll();
  void tell_settled_polls(int64_t waited_ns, int64_t rest_ns);

  Thread& thread_;
  const bool keeps_coow_;
  bool is_watched_;  // COOW, the longest path or call sites are kept
  CallSites* sites_ = nullptr;
  // Numbers of these quantities (Thread::keep_account()).
  int waiting_;
  int unknown_;
  // When the call began; what it has waited before clocks arrived early in it
  // is already counted and before this.
  int64_t entered_ns_ = 0;
  // Of calls that found nothing since clocks arrived last: how long they took,
  // and when the last of them ended.
  int64_t polled_ns_ = 0;
  int64_t last_poll_ns_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_MPI_WAITS_H_
