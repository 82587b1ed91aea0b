#include "model/device_model.h"

#include <algorithm>

#include "model/ratio.h"

namespace poprt {
namespace {

double device_time(const std::vector<DeviceKnown>& devices,
                   int64_t elapsed_ns) {
  return static_cast<double>(devices.size()) * static_cast<double>(elapsed_ns);
}

}  // namespace

DeviceMetrics device_metrics(const std::vector<DeviceKnown>& devices,
                             int64_t elapsed_ns) {
  if (devices.empty()) return {kUndefined, kUndefined, kUndefined, kUndefined};
  double kernels = 0;
  double kernels_max = 0;
  double busy_max = 0;
  for (const DeviceKnown& device : devices) {
    const auto own = static_cast<double>(device.time.kernels_ns);
    kernels += own;
    kernels_max = std::max(kernels_max, own);
    busy_max = std::max(busy_max, static_cast<double>(device.time.busy_ns()));
  }
  const auto count = static_cast<double>(devices.size());
  return {ratio(kernels, device_time(devices, elapsed_ns)),
          ratio(kernels, count * kernels_max), ratio(kernels_max, busy_max),
          ratio(busy_max, static_cast<double>(elapsed_ns))};
}

DeviceEfficiencyRange device_efficiency_range(
    const std::vector<DeviceKnown>& devices, int64_t elapsed_ns) {
  double least = 0;
  double most = 0;
  for (const DeviceKnown& device : devices) {
    least += static_cast<double>(device.kernels.least_ns);
    most += static_cast<double>(device.kernels.most_ns);
  }
  const double all = device_time(devices, elapsed_ns);
  return {ratio(least, all), ratio(most, all)};
}

DeviceShares device_shares(const std::vector<DeviceKnown>& devices,
                           int64_t elapsed_ns) {
  DeviceTime sum;
  for (const DeviceKnown& device : devices) sum += device.time;
  const double all = device_time(devices, elapsed_ns);
  const auto share = [all](int64_t ns) {
    return ratio(static_cast<double>(ns), all);
  };
  DeviceShares shares = {
      share(sum.kernels_ns), share(sum.copies_ns), share(sum.graphs_ns), {}, 0};
  for (size_t i = 0; i < shares.idle.size(); ++i) {
    shares.idle[i] = share(sum.idle_ns[i]);
  }
  shares.outside = ratio(all - static_cast<double>(sum.elapsed_ns()), all);
  return shares;
}

}  // namespace poprt
