// Accelerators are not measured.  A loss of the host may be a wait for them, so
// it is named only if it is larger than what may have been theirs.
#ifndef POPRT_REPORT_DEVICES_H_
#define POPRT_REPORT_DEVICES_H_

#include <string>

#include "model/job.h"

namespace poprt {

// Whether a loss of this share of the job's core time is named.
bool is_above_devices(const JobReport& report, double lost);

// Why no loss is named where is_above_devices() is false; "" without devices.
std::string why_no_loss(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_DEVICES_H_
