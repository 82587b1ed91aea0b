#include "modules/energy/powercap.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/kernel_text.h"

namespace poprt::modules::energy {
namespace {

// Where the kernel tells no limit, or one that means "none": more than any
// package draws for long.
constexpr int64_t kMostPower_uw = 1'000'000'000;

// Of a file with a single number; `otherwise` if there is none to be read.
// Allocates nothing: it may be called in a signal handler.
int64_t number_in_file(const char* path, int64_t otherwise = -1) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return otherwise;
  char text[32];
  const ssize_t length = read(file, text, sizeof text);
  close(file);
  int64_t number = 0;
  ssize_t digits = 0;
  for (; digits < length && text[digits] >= '0' && text[digits] <= '9' &&
         digits < 18;
       ++digits) {
    number = 10 * number + (text[digits] - '0');
  }
  return digits > 0 ? number : otherwise;
}
int64_t number_in(const std::string& path, int64_t otherwise) {
  return number_in_file(path.c_str(), otherwise);
}

// "package-0"; not "psys", which has all packages in it.
bool is_package(const std::string& zone_folder) {
  return kernel_text(zone_folder + "/name").starts_with("package");
}

// "intel-rapl:0".  With one more number it is a part of a package;
// "intel-rapl-mmio:0" is the same package, seen in another way.
bool is_zone_of_package(const std::string& name) {
  constexpr char kPrefix[] = "intel-rapl:";
  return name.starts_with(kPrefix) &&
         name.find(':', sizeof kPrefix - 1) == std::string::npos;
}

}  // namespace

std::vector<PackageReading> read_packages(const std::string& folder) {
  std::vector<PackageReading> packages;
  DIR* const zones = opendir(folder.c_str());
  if (zones == nullptr) return packages;
  while (const dirent* const entry = readdir(zones)) {
    const std::string zone = entry->d_name;
    const std::string files = folder + "/" + zone;
    if (!is_zone_of_package(zone) || !is_package(files)) continue;
    packages.push_back({zone, number_in(files + "/energy_uj", -1),
                        number_in(files + "/max_energy_range_uj", 0),
                        number_in(files + "/constraint_0_power_limit_uw", 0)});
  }
  closedir(zones);
  return packages;
}

int64_t round_ns(const PackageReading& package) {
  if (package.range_uj <= 0) return INT64_MAX;
  const int64_t limit_uw = package.limit_uw > 0
                               ? std::min(package.limit_uw, kMostPower_uw)
                               : kMostPower_uw;
  // In uJ and mW, which gives ms.
  return package.range_uj / std::max<int64_t>(limit_uw / 1000, 1) * 1'000'000;
}

Interval energy_since(const PackageReading& then, int64_t energy_uj,
                      int64_t ns) {
  if (then.energy_uj < 0 || energy_uj < 0) {
    return {0, "only the administrator may read it"};
  }
  int64_t energy = energy_uj - then.energy_uj;
  if (energy < 0) energy += then.range_uj;
  if (energy < 0) return {0, "a counter of energy has gone back"};
  return {energy, nullptr, ns > round_ns(then)};
}

EnergySum::EnergySum(const std::string& folder, int64_t now_ns)
    : last_ns_(now_ns) {
  for (PackageReading& each : read_packages(folder)) {
    // Four times in a round: who is a little late is not too late.
    period_ns_ = std::min(period_ns_, round_ns(each) / 4);
    std::string file = folder + "/" + each.zone + "/energy_uj";
    packages_.push_back({std::move(each), std::move(file)});
  }
  if (packages_.empty()) sum_.why = "the kernel does not tell it";
  read(now_ns);
}

void EnergySum::read(int64_t now_ns) {
  const int64_t ns = std::max(now_ns - last_ns_, int64_t{0});
  last_ns_ = std::max(last_ns_, now_ns);
  for (Package& package : packages_) {
    const int64_t energy_uj = number_in_file(package.file.c_str());
    const Interval interval = energy_since(package.last, energy_uj, ns);
    package.last.energy_uj = energy_uj;
    if (sum_.why == nullptr) sum_.why = interval.why;
    sum_.uj += interval.uj;
    sum_.is_least = sum_.is_least || interval.is_least;
  }
}

void EnergySum::restart(int64_t now_ns) {
  read(now_ns);
  sum_.uj = 0;
  sum_.is_least = false;
}

}  // namespace poprt::modules::energy
