#include "devices/idle_split.h"

#include <algorithm>
#include <array>

#include "model/device_totals.h"

namespace poprt {

// The times of other threads are read while these run, and may seem to go back.
DeviceTime split_idle(int64_t ns, const HostTime& before,
                      const HostTime& after) {
  std::array<int64_t, kHostParts> shares = {};
  for (size_t i = 0; i < after.ns.size(); ++i) {
    shares[i] = std::max<int64_t>(0, after.ns[i] - before.ns[i]);
  }
  DeviceTime split;
  split.idle_ns = split_by(ns, shares);
  return split;
}

}  // namespace poprt
