#include "modules/cores/host_topology.h"

#include <algorithm>
#include <utility>

#include "base/kernel_text.h"

namespace poprt::modules::cores {
namespace {

constexpr char kCpus[] = "/sys/devices/system/cpu/";
constexpr char kNodes[] = "/sys/devices/system/node/";

// Empty if the file has anything else.
CpuSet cpus_in(const std::string& path) {
  CpuSet cpus;
  if (!parse_cpu_set(kernel_text(path), &cpus)) return {};
  return cpus;
}

// The sets of processors that have this file of their topology in common.
std::vector<CpuSet> parts_of(const CpuSet& cpus, const std::string& root,
                             const std::string& file,
                             const std::string& older_file) {
  std::vector<CpuSet> parts;
  CpuSet seen;
  cpus.for_each([&](int64_t cpu) {
    if (seen.has(cpu)) return;
    const std::string folder =
        root + kCpus + "cpu" + std::to_string(cpu) + "/topology/";
    CpuSet part = cpus_in(folder + file);
    if (!part.has(cpu)) part = cpus_in(folder + older_file);
    if (!part.has(cpu)) part.add(static_cast<int>(cpu));
    seen.add(part);
    parts.push_back(std::move(part));
  });
  return parts;
}

std::string cpu_model(const std::string& root) {
  // The kernel makes the text while it is read: only the first processors'.
  const std::string text = kernel_text(root + "/proc/cpuinfo");
  for (const std::string name : {"model name", "cpu\t", "Processor"}) {
    const size_t at = text.find(name);
    if (at == std::string::npos) continue;
    const size_t colon = text.find(": ", at);
    if (colon == std::string::npos) continue;
    return text.substr(colon + 2, text.find('\n', colon) - colon - 2);
  }
  return "";
}

// The path behind the colons of the line of /proc/self/cgroup that begins so,
// or has `controller` between them.
std::string cgroup_path(const std::string& cgroups,
                        const std::string& controller) {
  for (size_t begin = 0; begin < cgroups.size();) {
    const size_t end = std::min(cgroups.find('\n', begin), cgroups.size());
    const std::string line = cgroups.substr(begin, end - begin);
    begin = end + 1;
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) {
      return line.substr(second + 1);
    }
  }
  return "";
}

// Of the group, or of the nearest one above it that has the file.
CpuSet cpus_of_group(const std::string& mount, std::string group,
                     const std::string& file) {
  while (!group.empty()) {
    const CpuSet cpus =
        cpus_in(mount + (group == "/" ? "" : group) + "/" + file);
    if (cpus.size() > 0) return cpus;
    if (group == "/") break;
    group.erase(std::max<size_t>(group.rfind('/'), 1));
  }
  return {};
}

}  // namespace

Topology topology_of_host(const std::string& root) {
  Topology topology;
  topology.cpus = cpus_in(root + kCpus + "online");
  if (topology.cpus.size() == 0) return topology;
  topology.cpu_model = cpu_model(root);
  topology.cores =
      parts_of(topology.cpus, root, "core_cpus_list", "thread_siblings_list");
  topology.sockets =
      parts_of(topology.cpus, root, "package_cpus_list", "core_siblings_list");
  for (NumaNode& node : numa_nodes(root)) {
    topology.numa_nodes.push_back(std::move(node.cpus));
  }
  topology.id = topology_id(topology);
  return topology;
}

std::vector<NumaNode> numa_nodes(const std::string& root) {
  std::vector<NumaNode> nodes;
  cpus_in(root + kNodes + "online").for_each([&](int64_t number) {
    CpuSet cpus =
        cpus_in(root + kNodes + "node" + std::to_string(number) + "/cpulist");
    // Some nodes are memory only.
    if (cpus.size() > 0) nodes.push_back({number, std::move(cpus)});
  });
  return nodes;
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
  return cpus.size() > 0 ? cpus : cpus_in(root + kCpus + "online");
}

}  // namespace poprt::modules::cores
