#include "report/devices.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "document/format.h"
#include "model/device_amounts.h"
#include "report/core_time.h"

namespace poprt {

double device_share(const JobReport& report) {
  const auto& resources = report.totals.resources;
  if (amount(resources, kDeviceProcesses.name) > 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int64_t helpers_ns = amount(resources, kTargetOnHost.name);
  return helpers_ns > 0 ? share_of_job(report, helpers_ns) : 0;
}

bool is_above_devices(const JobReport& report, double lost) {
  return lost > device_share(report);
}

std::string why_no_loss(const JobReport& report) {
  const double share = device_share(report);
  if (std::isnan(share)) {
    return "No loss is named: the program has a runtime of accelerators, and "
           "how much of the time was a wait for them is not known.";
  }
  if (share == 0) return "";
  return fmt::format(
      "No loss is named: none is larger than the {} that helper threads worked "
      "for `target nowait`, which may be what the others waited for.",
      duration(amount(report.totals.resources, kTargetOnHost.name)));
}

}  // namespace poprt
