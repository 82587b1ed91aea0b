// What the run took of its hosts.
#ifndef POPRT_REPORT_ENERGY_H_
#define POPRT_REPORT_ENERGY_H_

#include <string>

#include "model/job.h"

namespace poprt {

// The time over which energy was measured, in s; NaN if nothing was.
double seconds_of(const JobReport& report);
// What the host's processors took, in joules; 0 if it is not known.
double energy_j(const HostShare& host);

// In joules, and in watts over the run time; NaN unless it is known of each
// host.
double job_energy_j(const JobReport& report);
double job_power_w(const JobReport& report);

// "12.34 kJ, 411 W; node1 6.17 kJ, 206 W; ..."; empty if it is known of no
// host.
std::string energy_line(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_ENERGY_H_
