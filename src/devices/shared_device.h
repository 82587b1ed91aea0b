// SharedDevice: what several processes of a host did with one device, each of
// which knows only its own operations.
//
// In each bin the device was busy at least as long as with the process that had
// most, and at most as long as with all of them one after the other.  So where
// operations are longer than a few bins their union is known nearly exactly.
//
// At the end of the run.  One caller at a time.
#ifndef POPRT_DEVICES_SHARED_DEVICE_H_
#define POPRT_DEVICES_SHARED_DEVICE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "devices/device_bins.h"
#include "model/device_time.h"
#include "model/device_totals.h"

namespace poprt {

class SharedDevice {
 public:
  SharedDevice() = default;
  explicit SharedDevice(const DeviceBins& of_process);

  // Bins of unequal width become wider.  So the bounds depend on the order of
  // several calls unless all are widened to the largest width first; they hold
  // in each order.
  void add(SharedDevice other);
  // REQUIRES: power >= power().
  void widen(int power);
  // The width of the bins is 2^power ns.
  int power() const { return power_; }

  // In the run.  Idle time is split as the processes' own idle time in the same
  // bin is: in equal parts where the device was idle for long.
  DeviceKnown known() const;

 private:
  // Kernels; kernels or copies; anything.
  static constexpr int kLevels = 3;

  struct Bin {
    std::array<SharedTime, kLevels> levels;
    int64_t elapsed_ns = 0;                        // the longest of a process
    std::array<int64_t, kHostParts> idle_ns = {};  // of all processes

    // The same stretch of time as other processes know it.
    void add(const Bin& other);
    // The stretch that follows.
    void append(const Bin& next);
  };

  DeviceKnown known_in(const Bin& bin) const;

  // Bin i begins at (first_ + i) << power_.
  int power_ = DeviceBins::kFirstPower;
  int64_t first_ = 0;
  std::vector<Bin> bins_;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_SHARED_DEVICE_H_
