#include "report/misplaced_memory.h"

#include <fmt/format.h>

#include "document/format.h"
#include "model/quantities.h"
#include "model/ratio.h"

namespace poprt {
namespace {

// Of the memory of all processes. What is less is what libraries and the
// runtimes need, and the error of a sample.
constexpr double kLeastMisplaced = 0.2;
constexpr double kLeastMisplacedBytes = 64 << 20;
constexpr size_t kNodesNamed = 8;

double bytes(const JobReport& report, const Resource& resource) {
  return static_cast<double>(amount(report.totals.resources, resource.name));
}

double misplaced_share(const JobReport& report) {
  return ratio(bytes(report, kMisplacedMemory), bytes(report, kPlacedMemory));
}

// "node1: NUMA 0 9.100G, NUMA 1 200.0M" of the first host that tells.
std::string nodes_text(const JobReport& report) {
  for (const HostShare& host : report.totals.hosts) {
    if (host.numa_memory.empty()) continue;
    std::string text = shortened(printable(host.name), 30) + ":";
    for (size_t i = 0; i < host.numa_memory.size() && i < kNodesNamed; ++i) {
      const NumaMemory& each = host.numa_memory[i];
      text += fmt::format("{} NUMA {} {}B", i > 0 ? "," : "", each.node,
                          with_prefix(static_cast<double>(each.bytes)));
    }
    return text + (host.numa_memory.size() > kNodesNamed ? ", ..." : "");
  }
  return "";
}

}  // namespace

bool is_memory_misplaced(const JobReport& report) {
  return misplaced_share(report) >= kLeastMisplaced &&
         bytes(report, kMisplacedMemory) >= kLeastMisplacedBytes;
}

std::string misplaced_memory(const JobReport& report) {
  return fmt::format(
      "{} % of the memory ({}B of {}B) is not on the NUMA nodes where the "
      "threads are ({}), so that they fetch it from another one. Let the "
      "threads that use data be the first to write to it, and bind processes "
      "to NUMA nodes (Open MPI: mpirun --map-by numa; srun: "
      "--cpu-bind=ldoms; numactl --localalloc).",
      percent(misplaced_share(report)),
      with_prefix(bytes(report, kMisplacedMemory)),
      with_prefix(bytes(report, kPlacedMemory)), nodes_text(report));
}

}  // namespace poprt
