// The kernel's counters of energy: those of the processors' packages below
// /sys/class/powercap (intel-rapl, also on AMD).
#ifndef POPRT_MODULES_ENERGY_POWERCAP_H_
#define POPRT_MODULES_ENERGY_POWERCAP_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt::modules::energy {

inline constexpr char kPowercap[] = "/sys/class/powercap";

// One package.
struct PackageReading {
  std::string zone;        // "intel-rapl:0"
  int64_t energy_uj = -1;  // since some time; -1: it may not be read
  // Where the counter begins at 0 again; 0 if the kernel does not tell.
  int64_t range_uj = 0;
  // The power that the package may have for long; 0 if the kernel does not
  // tell.
  int64_t limit_uw = 0;
};

// All packages of this node; empty if the kernel does not tell their energy.
// `folder` is kPowercap but in tests.
std::vector<PackageReading> read_packages(const std::string& folder);

// The energy between two readings of a node.
struct Energy {
  int64_t uj = 0;   // 0 if it is not known
  const char* why;  // it is not known; nullptr if it is
};

// `ns` is the time between the readings.  A counter that is smaller now has
// begun anew once.  In so long a time that it may have begun anew more often,
// even at the package's power limit, the energy is not known.
Energy energy_between(const std::vector<PackageReading>& before,
                      const std::vector<PackageReading>& after, int64_t ns);

}  // namespace poprt::modules::energy

#endif  // POPRT_MODULES_ENERGY_POWERCAP_H_
