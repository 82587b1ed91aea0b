// MpiWaits: how long the MPI calls of a thread waited for a late partner.
//
// The clock ALL of a message tells how long the longest path was when the
// message was sent.  The thread's own ALL tells how long it was when the thread
// entered the call.  All processes begin at 0 together, and no path is longer
// than the time that has passed.  So both stand for real time, without
// synchronised clocks. A call from `entered` to `left`, in which a clock `sent`
// arrived, has waited for clamp(sent - entered, 0, left - entered).  The rest
// of the call is transfer, and so is a call without a partner that could be
// late.  A call whose partner's clock is not known is neither.
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

// A call that returned before its partner's clocks came.
struct LateWait {
  int64_t call_ns = 0;         // tells calls apart: the first entered_ns
  int64_t entered_ns = 0;      // the time before it has been counted
  int64_t entered_all_ns = 0;  // the clock ALL at entered_ns
  int64_t left_ns = 0;
  std::bitset<kMaxRegions> regions;  // that were open
  CallSite* site = nullptr;          // or null
  // The longest path when the call returned; null without POPRT_PATH.
  std::shared_ptr<const PathMoment> path;

  // The time that is not counted yet.
  int64_t time_ns() const { return std::max<int64_t>(0, left_ns - entered_ns); }
};

class MpiWaits {
 public:
  explicit MpiWaits(Thread& thread);

  // From now on waits are also told to `sites`, which lives as long as this.
  void tell(CallSites& sites) {
    sites_ = &sites;
    is_watched_ = true;
  }

  // A call begins at the thread's last event, at `now_ns`.
  void begin(int64_t now_ns) { entered_ns_ = now_ns; }

  // Merges clocks that have arrived in the call, as of the thread's last event.
  // Adds the time that the call waited for these to kMpiWaiting, and returns
  // it.
  [[gnu::always_inline]] int64_t merge(const ClockMessage& clocks) {
    const int64_t ahead_ns = thread_.merge(clocks);
    if (polled_ns_ != 0) [[unlikely]]
      settle_polls(ahead_ns);
    const int64_t time_ns = thread_.last_event_ns() - entered_ns_;
    // At the begin of the call the thread's ALL was `time_ns` less.
    const int64_t waited_ns = bounded<int64_t>(ahead_ns + time_ns, 0, time_ns);
    thread_.count(waiting_, waited_ns);
    entered_ns_ += waited_ns;
    if (is_watched_) [[unlikely]]
      tell_merge(clocks, waited_ns, time_ns - waited_ns);
    return waited_ns;
  }

  // A partner's clock is not known.  Adds the call's time until the thread's
  // last event to kMpiUnknown.
  void lose();

  // For a call that returns before its partner's clocks come.
  LateWait put_off() const;
  // The clocks have come.  `event`: the thread's moment() at put_off().  Call
  // shorten() next for other waits of the same call, so that they do not count
  // the same time once more.
  void merge_late(const ClockMessage& clocks, const Moment& event,
                  LateWait& wait);
  static void shorten(const LateWait& counted, LateWait* other);
  // As shorten(), after merge() has counted `waited_ns`.
  void shorten(int64_t waited_ns, LateWait* other) const;
  // The clocks tell how long the call has waited, but there is no edge.
  void count_late(const ClockMessage& clocks, const LateWait& wait);
  // The clocks will not come.
  void lose_late(const LateWait& wait);

  // The call that has just ended found nothing (MPI_Test).  When the next
  // clocks arrive, they tell whether it waited.
  void add_poll() {
    const int64_t now_ns = thread_.last_event_ns();
    thread_.cost.looked_in_vain(entered_ns_ - last_poll_ns_,
                                now_ns - entered_ns_);
    last_poll_ns_ = now_ns;
    polled_ns_ += last_poll_ns_ - entered_ns_;
    if (is_watched_) [[unlikely]]
      tell_poll();
  }
  // The clocks that arrive next do not tell whether such calls waited.
  void forget_polls() {
    if (is_watched_ && polled_ns_ != 0) [[unlikely]]
      tell_settled_polls(0, polled_ns_);
    polled_ns_ = 0;
  }

 private:
  void settle_polls(int64_t ahead_ns);
  // Tell COOW, the longest path and call sites.
  void tell_merge(const ClockMessage& clocks, int64_t waited_ns,
                  int64_t transfer_ns);
  void tell_poll();
  void tell_settled_polls(int64_t waited_ns, int64_t rest_ns);

  Thread& thread_;
  const bool keeps_coow_;
  bool is_watched_;  // COOW, the longest path or call sites are kept
  CallSites* sites_ = nullptr;
  // Accounts (Thread::keep_account()).
  int waiting_;
  int unknown_;
  // When the call began, or until when its waits are counted.
  int64_t entered_ns_ = 0;
  // The time of calls that found nothing since clocks arrived last, and when
  // the last such call ended.
  int64_t polled_ns_ = 0;
  int64_t last_poll_ns_ = 0;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_MPI_WAITS_H_
