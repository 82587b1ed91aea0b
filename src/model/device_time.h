// What an accelerator did, and what its host did meanwhile: nanoseconds of one
// device in one stretch of time.
//
// Kernels are the union of all kernels, copies what is outside of these, graphs
// what is outside of both, and idle the rest.  So all of them add up to the
// stretch.  Plain values.
#ifndef POPRT_MODEL_DEVICE_TIME_H_
#define POPRT_MODEL_DEVICE_TIME_H_

#include <algorithm>
#include <array>
#include <cstdint>

namespace poprt {

// What the host of an idle device does.
enum class HostPart : uint8_t {
  kUseful,
  kMpi,
  kOpenMp,
  kAccelerator,  // in calls to a device
  kUnknown,
};
inline constexpr int kHostParts = 5;
// Those that a process can tell of itself.
inline constexpr int kKnownHostParts = 4;

// How long the threads of a process have been in each part, since measurement
// began: sums over threads that only grow.
struct HostTime {
  std::array<int64_t, kKnownHostParts> ns = {};
};

struct DeviceTime {
  int64_t kernels_ns = 0;
  int64_t copies_ns = 0;
  // Graphs of which only the begin and the end are known, so kernels, copies
  // and gaps.
  int64_t graphs_ns = 0;
  std::array<int64_t, kHostParts> idle_ns = {};

  int64_t busy_ns() const { return kernels_ns + copies_ns + graphs_ns; }
  int64_t idle_sum_ns() const {
    int64_t sum = 0;
    for (const int64_t ns : idle_ns) sum += ns;
    return sum;
  }
  int64_t elapsed_ns() const { return busy_ns() + idle_sum_ns(); }

  DeviceTime& operator+=(const DeviceTime& other) {
    kernels_ns += other.kernels_ns;
    copies_ns += other.copies_ns;
    graphs_ns += other.graphs_ns;
    for (size_t i = 0; i < idle_ns.size(); ++i) idle_ns[i] += other.idle_ns[i];
    return *this;
  }
  DeviceTime& operator-=(const DeviceTime& other) {
    kernels_ns -= other.kernels_ns;
    copies_ns -= other.copies_ns;
    graphs_ns -= other.graphs_ns;
    for (size_t i = 0; i < idle_ns.size(); ++i) idle_ns[i] -= other.idle_ns[i];
    return *this;
  }
  friend bool operator==(const DeviceTime&, const DeviceTime&) = default;
};

// A time of which only bounds are known.
struct TimeRange {
  int64_t least_ns = 0;
  int64_t most_ns = 0;

  int64_t middle_ns() const { return least_ns + (most_ns - least_ns) / 2; }
  TimeRange& operator+=(const TimeRange& other) {
    least_ns += other.least_ns;
    most_ns += other.most_ns;
    return *this;
  }
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

// What several processes have told of a time of one device, each of its own
// operations.  They may or may not overlap.
struct SharedTime {
  int64_t sum_ns = 0;
  int64_t max_ns = 0;

  void add(int64_t ns) {
    sum_ns += ns;
    max_ns = std::max(max_ns, ns);
  }
  SharedTime& operator+=(const SharedTime& other) {
    sum_ns += other.sum_ns;
    max_ns = std::max(max_ns, other.max_ns);
    return *this;
  }
  // The length of the union, within a stretch of this length.
  TimeRange within(int64_t elapsed_ns) const {
    const int64_t least_ns = std::min(max_ns, elapsed_ns);
    return {least_ns, std::max(least_ns, std::min(sum_ns, elapsed_ns))};
  }
  friend bool operator==(const SharedTime&, const SharedTime&) = default;
};

}  // namespace poprt

#endif  // POPRT_MODEL_DEVICE_TIME_H_
