#include "report/devices.h"

#include <fmt/format.h>

#include <cmath>

#include "document/format.h"
#include "model/device_amounts.h"
#include "model/judge.h"

namespace poprt {

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
