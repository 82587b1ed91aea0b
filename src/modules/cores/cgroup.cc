#include "modules/cores/cgroup.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/kernel_text.h"

namespace poprt::modules::cores {
namespace {

// Empty if the file has anything else.
CpuSet cpus_in(const std::string& path) {
  CpuSet cpus;
  if (!parse_cpu_set(kernel_text(path), &cpus)) return {};
  return cpus;
}

// The path behind the colons of the line of /proc/self/cgroup that has
// `controller` between them, alone or in a list ("cpu,cpuacct").
std::string cgroup_path(const std::string& cgroups,
                        const std::string& controller) {
  for (size_t begin = 0; begin < cgroups.size();) {
    const size_t end = std::min(cgroups.find('\n', begin), cgroups.size());
    const std::string line = cgroups.substr(begin, end - begin);
    begin = end + 1;
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string list = line.substr(first + 1, second - first - 1);
    if (list == controller ||
        (!controller.empty() && (list.starts_with(controller + ",") ||
                                 list.ends_with("," + controller)))) {
      return line.substr(second + 1);
    }
  }
  return "";
}

// Calls visit(folder) for the group and those above it, the nearest one first,
// until that returns true.
template <class Visit>
void for_each_group(const std::string& mount, std::string group, Visit visit) {
  while (!group.empty()) {
    if (visit(mount + (group == "/" ? "" : group) + "/") || group == "/") {
      break;
    }
    group.erase(std::max<size_t>(group.rfind('/'), 1));
  }
}

// Of the group, or of the nearest one above it that has the file.
CpuSet cpus_of_group(const std::string& mount, const std::string& group,
                     const std::string& file) {
  CpuSet cpus;
  for_each_group(mount, group, [&](const std::string& folder) {
    cpus = cpus_in(folder + file);
    return cpus.size() > 0;
  });
  return cpus;
}

// In 1/1000 cores; 0: none.
int64_t quota_in(const std::string& folder, bool is_first_version) {
  const std::string text =
      is_first_version ? kernel_text(folder + "cpu.cfs_quota_us") + " " +
                             kernel_text(folder + "cpu.cfs_period_us")
                       : kernel_text(folder + "cpu.max");
  const char* const begin = text.c_str();
  char* end = nullptr;
  const double quota_us = std::strtod(begin, &end);  // "max", "-1": none
  if (end == begin || !(quota_us > 0)) return 0;
  const double period_us = std::strtod(end, nullptr);
  return period_us > 0
             ? std::max<int64_t>(1, std::llround(1000 * quota_us / period_us))
             : 0;
}

}  // namespace

CpuQuota cpu_quota(const std::string& root) {
  const std::string groups = kernel_text(root + "/proc/self/cgroup");
  const std::string mount = root + "/sys/fs/cgroup";
  const std::string first_version = cgroup_path(groups, "cpu");
  const bool is_first_version = !first_version.empty();
  CpuQuota least;
  for_each_group(is_first_version ? mount + "/cpu" : mount,
                 is_first_version ? first_version : cgroup_path(groups, ""),
                 [&](const std::string& folder) {
                   const int64_t quota = quota_in(folder, is_first_version);
                   struct stat status = {};
                   if (quota > 0 &&
                       (least.millicores == 0 || quota < least.millicores) &&
                       stat(folder.c_str(), &status) == 0) {
                     least = {quota, static_cast<int64_t>(status.st_ino)};
                   }
                   return false;
                 });
  return least;
}

CpuSet allotted_cpus(const std::string& root) {
  const std::string groups = kernel_text(root + "/proc/self/cgroup");
  const std::string mount = root + "/sys/fs/cgroup";
  CpuSet cpus = cpus_of_group(mount + "/cpuset", cgroup_path(groups, "cpuset"),
                              "cpuset.effective_cpus");
  if (cpus.size() == 0) {
    cpus =
        cpus_of_group(mount, cgroup_path(groups, ""), "cpuset.cpus.effective");
  }
  return cpus.size() > 0 ? cpus
                         : cpus_in(root + "/sys/devices/system/cpu/online");
}

}  // namespace poprt::modules::cores
