// What the run took of its hosts.
#ifndef POPRT_REPORT_ENERGY_H_
#define POPRT_REPORT_ENERGY_H_

#include <string>

#include "model/job.h"
#include "report/document.h"

namespace poprt {

// In joules, and in watts over the run time; NaN unless it is known of each
// host.
double job_energy_j(const JobReport& report);
double job_power_w(const JobReport& report);

// "12.34 kJ, 411 W; node1 6.17 kJ, 206 W; ..."; empty if it is known of no
// host.
std::string energy_line(const JobReport& report);

// Each host with its processes and threads, and what is known of its energy,
// power and memory; no rows where neither is known of any host.
Table host_table(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_ENERGY_H_
