// Metrics of the devices of a job in a region: those of the model `talp`, and
// the subtree that an additive model has of devices.
//
// They differ from TALP's own in three points.  The largest time is that of a
// device, not of a process that may use several.  What several processes do on
// one device is the union of it, not the largest.  No operation is lost at the
// end of a region.  Pure functions.
#ifndef POPRT_MODEL_DEVICE_MODEL_H_
#define POPRT_MODEL_DEVICE_MODEL_H_

#include <array>
#include <cstdint>
#include <vector>

#include "model/device_totals.h"

namespace poprt {

// Of G devices with kernels K and copies C in a run time of E.  Each is between
// 0 and 1, and the first is the product of the rest.  NaN where it is not
// defined: there are no devices, or they have no kernels.
struct DeviceMetrics {
  double parallel_efficiency;       // sum K / (E G)
  double load_balance;              // sum K / (G max K)
  double communication_efficiency;  // max K / max (K + C)
  double orchestration_efficiency;  // max (K + C) / E
};

// `devices`: those that had an operation in the run.  What is only known as a
// graph counts with copies.
DeviceMetrics device_metrics(const std::vector<DeviceKnown>& devices,
                             int64_t elapsed_ns);

// The bounds of the parallel efficiency.
struct DeviceEfficiencyRange {
  double least;
  double most;
};
DeviceEfficiencyRange device_efficiency_range(
    const std::vector<DeviceKnown>& devices, int64_t elapsed_ns);

// What the time of all devices went into, as shares of E G that add up to 1.
struct DeviceShares {
  double kernels;
  double copies;
  double graphs;
  std::array<double, kHostParts> idle;
  double outside;  // its processes were in the region for a shorter time
};
// `devices`: also those that were not used, if they are to count.
DeviceShares device_shares(const std::vector<DeviceKnown>& devices,
                           int64_t elapsed_ns);

}  // namespace poprt

#endif  // POPRT_MODEL_DEVICE_MODEL_H_
