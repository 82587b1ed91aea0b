#include "measure/mpi_waits.h"

#include <algorithm>

#include "base/bounded.h"
#include "measure/process.h"
#include "model/quantities.h"

namespace poprt {
namespace {

constexpr bool kTellsCoow = waits_weigh_nothing(State::kMpi);
static_assert(std::ranges::none_of(kAllStates,
                                   [](State state) {
                                     return state != State::kMpi &&
                                            waits_weigh_nothing(state);
                                   }),
              "somebody has to tell COOW of the waits in this state, too");

void shorten_to(int64_t entered_ns, LateWait* wait) {
  const int64_t counted = std::max<int64_t>(0, entered_ns - wait->entered_ns);
  wait->entered_ns += counted;
  wait->entered_all_ns += counted;
}

// How long the call waited, by ALL of Global in the clocks.  Negative: they do
// not have it.
int64_t waited_for(const ClockMessage& clocks, const LateWait& wait) {
  for (int i = 0; i < clocks.count; ++i) {
    if (clocks.entries[i].region != kGlobalKey) continue;
    return bounded<int64_t>(clocks.entries[i].all_ns - wait.entered_all_ns, 0,
                            wait.time_ns());
  }
  return -1;
}

}  // namespace

MpiWaits::MpiWaits(Thread& thread)
    : thread_(thread),
      keeps_coow_(kTellsCoow && thread.process().keeps_coow()),
      is_watched_(keeps_coow_ || thread.path() != nullptr),
      waiting_(thread.keep_account(kMpiWaiting)),
      unknown_(thread.keep_account(kMpiUnknown)) {}

void MpiWaits::lose() {
  const int64_t now = thread_.last_event_ns();
  const int64_t unknown = std::max<int64_t>(0, now - entered_ns_);
  thread_.count(unknown_, unknown);
  if (sites_ != nullptr) sites_->add_unknown(unknown);
  entered_ns_ = now;
}

LateWait MpiWaits::put_off() const {
  const int64_t now = thread_.last_event_ns();
  return {entered_ns_,
          entered_ns_,
          thread_.all_ns() - (now - entered_ns_),
          now,
          thread_.open_regions(),
          sites_ == nullptr ? nullptr : sites_->current(),
          thread_.path() == nullptr ? nullptr : thread_.path()->moment()};
}

void MpiWaits::merge_late(const ClockMessage& clocks, const Moment& event,
                          LateWait& wait) {
  const int64_t waited = waited_for(clocks, wait);
  if (waited < 0) return;
  thread_.count_in(wait.regions, waiting_, waited);
  if (wait.site != nullptr) wait.site->waiting_ns += waited;
  if (keeps_coow_) {
    thread_.merge_coow(&clocks, {wait.regions, waited, wait.time_ns() - waited},
                       event);
  }
  if (wait.path != nullptr) {
    thread_.merge_path(clocks, wait.time_ns(), wait.path.get());
  }
  shorten_to(wait.entered_ns + waited, &wait);
  if (wait.call_ns == entered_ns_) entered_ns_ = wait.entered_ns;
}

void MpiWaits::count_late(const ClockMessage& clocks, const LateWait& wait) {
  const int64_t waited = waited_for(clocks, wait);
  if (waited <= 0) return;
  thread_.count_in(wait.regions, waiting_, waited);
  if (wait.site != nullptr) wait.site->waiting_ns += waited;
  if (keeps_coow_) {
    thread_.merge_coow(nullptr, {wait.regions, waited, 0}, thread_.moment());
  }
  if (wait.path != nullptr) {
    thread_.merge_path(clocks, wait.time_ns(), wait.path.get());
  }
}

void MpiWaits::tell_merge(const ClockMessage& clocks, int64_t waited_ns,
                          int64_t transfer_ns) {
  if (sites_ != nullptr) sites_->add_waiting(waited_ns);
  if (keeps_coow_) {
    thread_.merge_coow(&clocks,
                       {thread_.open_regions(), waited_ns, transfer_ns},
                       thread_.moment());
  }
  if (thread_.path() != nullptr) {
    thread_.merge_path(clocks, waited_ns + transfer_ns);
  }
}

void MpiWaits::tell_poll() {
  const int64_t time_ns = last_poll_ns_ - entered_ns_;
  if (sites_ != nullptr) sites_->add_poll(time_ns);
  if (keeps_coow_) thread_.add_to_coow(-time_ns);
  if (ThreadPath* const path = thread_.path()) {
    path->polled(time_ns, thread_.useful_ns());
  }
}

void MpiWaits::tell_settled_polls(int64_t waited_ns, int64_t rest_ns) {
  if (sites_ != nullptr) sites_->settle_polls(rest_ns);
  if (keeps_coow_) thread_.add_to_coow(rest_ns);
  if (ThreadPath* const path = thread_.path()) {
    path->settle_polls(waited_ns, rest_ns, thread_.useful_ns());
  }
}

void MpiWaits::shorten(const LateWait& counted, LateWait* other) {
  if (counted.call_ns == other->call_ns) shorten_to(counted.entered_ns, other);
}

void MpiWaits::shorten(int64_t waited_ns, LateWait* other) const {
  if (entered_ns_ - waited_ns == other->call_ns) shorten_to(entered_ns_, other);
}

void MpiWaits::lose_late(const LateWait& wait) {
  thread_.count_in(wait.regions, unknown_, wait.time_ns());
  if (wait.site != nullptr) wait.site->unknown_ns += wait.time_ns();
}

// Which of the calls were before the clocks were sent is not known if the last
// one ended later: those behind take at most the time since.
void MpiWaits::settle_polls(int64_t ahead_ns) {
  const int64_t sent_ns = thread_.last_event_ns() + ahead_ns;
  const int64_t behind = bounded<int64_t>(last_poll_ns_ - sent_ns, 0,
                                          std::max<int64_t>(0, polled_ns_));
  thread_.count(waiting_, polled_ns_ - behind);
  if (is_watched_) tell_settled_polls(polled_ns_ - behind, behind);
  polled_ns_ = 0;
}

}  // namespace poprt
