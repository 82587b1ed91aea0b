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

// What a package took between two readings, `ns` apart.  A counter that is
// smaller now has begun anew once.
struct Interval {
  int64_t uj = 0;
  // Why that is not known; nullptr if it is.
  const char* why = nullptr;
  // In so long a time it may have begun anew more often, even at the package's
  // power limit: `uj` is the least.
  bool is_least = false;
};
Interval energy_since(const PackageReading& then, int64_t energy_uj,
                      int64_t ns);

// In how long a time the counter of a package may begin anew; INT64_MAX if it
// never does.
int64_t round_ns(const PackageReading& package);

// What the packages of a node took since the first reading.  Read at least once
// in each period_ns(), it is right however long the run lasts.
class EnergySum {
 public:
  // `folder`: as for read_packages().
  EnergySum(const std::string& folder, int64_t now_ns);

  // Reads the counters.  May be called in signal handlers, unless it has been
  // interrupted there.
  void read(int64_t now_ns);
  // Begins anew.
  void restart(int64_t now_ns);

  int64_t period_ns() const { return period_ns_; }
  // Of all packages, until the last reading.
  Interval sum() const { return sum_; }

 private:
  struct Package {
    PackageReading last;
    std::string file;
  };
  std::vector<Package> packages_;
  int64_t period_ns_ = INT64_MAX;
  int64_t last_ns_;
  Interval sum_;
};

}  // namespace poprt::modules::energy

#endif  // POPRT_MODULES_ENERGY_POWERCAP_H_
