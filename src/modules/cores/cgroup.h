// What the groups of this process (cgroups) let it use of its host.
#ifndef POPRT_MODULES_CORES_CGROUP_H_
#define POPRT_MODULES_CORES_CGROUP_H_

#include <string>

#include "model/totals.h"

namespace poprt::modules::cores {

// Of the cores' time: the least of the groups and those above, where
// controllers are mounted at the usual place.  Below `root` ("" for the real
// files).
CpuQuota cpu_quota(const std::string& root);

// The processors of the job's cpuset; those that are online if there is none.
// hwloc asks the group of the process only, which may have no cpuset of its
// own: as a rule it is a group above it that has.
CpuSet allotted_cpus(const std::string& root);

}  // namespace poprt::modules::cores

#endif  // POPRT_MODULES_CORES_CGROUP_H_
