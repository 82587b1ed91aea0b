// DeviceBins: what a process saw of a device in each of a few thousand
// stretches of the run (bins), for devices that several processes share
// (shared_device.h).
//
// A bin begins at a multiple of its width, so the bins of all processes that
// have the same clock lie on one another.  The width is doubled when there is
// no room for more.
//
// Takes memory that the process can do without, 256 KiB.  One caller at a time.
#ifndef POPRT_DEVICES_DEVICE_BINS_H_
#define POPRT_DEVICES_DEVICE_BINS_H_

#include <cstdint>

#include "model/device_time.h"

namespace poprt {

class DeviceBins {
 public:
  static constexpr int kMost = 4096;
  // Widths are powers of two: 65.5 us at first.
  static constexpr int kFirstPower = 16;

  DeviceBins();
  ~DeviceBins() { delete[] bins_; }
  DeviceBins(const DeviceBins& other);
  DeviceBins& operator=(const DeviceBins&) = delete;

  // Otherwise nothing may be added.
  bool has_memory() const { return bins_ != nullptr; }

  // What the device did in a stretch that begins then and lies in one bin.
  // REQUIRES: no bin before that of the first call.
  void add(int64_t begin_ns, const DeviceTime& time);
  // The end of the bin in which this time is.
  int64_t end_of_bin(int64_t time_ns) const {
    return ((time_ns >> power_) + 1) << power_;
  }

  int power() const { return power_; }
  // Bin i begins at (first() + i) << power().
  int64_t first() const { return first_; }
  int count() const { return count_; }
  const DeviceTime& operator[](int i) const { return bins_[i]; }

 private:
  void widen();

  DeviceTime* bins_;
  int power_ = kFirstPower;
  int64_t first_ = 0;
  int count_ = 0;
};

}  // namespace poprt

#endif  // POPRT_DEVICES_DEVICE_BINS_H_
