#include "devices/device_use.h"

#include <algorithm>

namespace poprt {
namespace {

// What was launched in regions that are not known.
constexpr int kAnySet = 0;

}  // namespace

void DeviceUse::launch(const Launch& launch, uint16_t set) {
  // An id that comes again: of the operation before nothing will be heard.
  PendingLaunches::Entry* const before = pending_.find(launch.id);
  if (before != nullptr) {
    end(*before);
    pending_.remove(before);
  }
  pending_.add(launch, set);
}

void DeviceUse::record(const Operation& operation, int64_t now_ns) {
  PendingLaunches::Entry* const launch = pending_.find(operation.launch);
  LaunchedWork& launched =
      launched_.in(launch != nullptr ? launch->set : kAnySet);
  ++launched.operations;
  if (has_memory() && has_times(operation, now_ns + clock_error_ns_)) {
    if (busy_with(operation) == Busy::kKernels) {
      launched.kernels_ns += operation.end_ns - operation.begin_ns;
    }
    add(operation);
  } else {
    ++launched.unknown;
  }
  if (launch == nullptr) {
    ++unannounced_;
    pending_.remove_unknown();
  } else if (launch->launch.has_many_records) {
    launch->has_records = true;
  } else {
    pending_.remove(launch);
  }
}

void DeviceUse::add(const Operation& operation) {
  const Busy kind = busy_with(operation);
  if (busy_.is_full(kind)) follow();
  const int64_t begin_ns =
      std::max(operation.begin_ns, timeline_.followed_ns());
  // What lies before the begin of measurement is not late.
  const int64_t lost_ns = std::min(operation.end_ns, begin_ns) -
                          std::max(operation.begin_ns, timeline_.begin_ns());
  if (lost_ns > 0) {
    ++late_;
    late_ns_ += lost_ns;
  }
  if (begin_ns < operation.end_ns) {
    busy_.add(kind, begin_ns, operation.end_ns);
  }
}

void DeviceUse::end(const PendingLaunches::Entry& entry) {
  if (entry.has_records) return;
  LaunchedWork& launched = launched_.in(entry.set);
  ++launched.operations;
  ++launched.unknown;
}

void DeviceUse::end_stream(uint64_t stream, int64_t launched_until_ns) {
  pending_.remove_until(
      &stream, launched_until_ns,
      [this](const PendingLaunches::Entry& entry) { end(entry); });
}

void DeviceUse::end_launch(uint64_t launch, bool had_operation) {
  PendingLaunches::Entry* const entry = pending_.find(launch);
  if (entry == nullptr) {
    // It was one of those beyond the table.
    if (!had_operation) pending_.remove_unknown();
    return;
  }
  if (had_operation) end(*entry);
  pending_.remove(entry);
}

void DeviceUse::end_all() {
  pending_.remove_until(
      nullptr, PendingLaunches::kNone,
      [this](const PendingLaunches::Entry& entry) { end(entry); });
  LaunchedWork& launched = launched_.in(kAnySet);
  const int64_t beyond = pending_.remove_beyond();
  launched.operations += beyond;
  launched.unknown += beyond;
}

void DeviceUse::follow() {
  const int64_t until_ns =
      std::min(pending_.oldest_ns(), events_.last().time_ns);
  timeline_.follow(events_, has_memory() ? &busy_ : nullptr,
                   until_ns - clock_error_ns_);
}

}  // namespace poprt
