#include "modules/energy/powercap.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>

#include "modules/kernel_text.h"

namespace poprt::modules::energy {
namespace {

// Where the kernel tells no limit, or one that means "none": more than any
// package draws for long.
constexpr int64_t kMostPower_uw = 1'000'000'000;

// Of a file with a single number; `otherwise` if there is none to be read.
int64_t number_in(const std::string& path, int64_t otherwise) {
  const std::string text = kernel_text(path);
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  return end == text.c_str() || number < 0 ? otherwise : number;
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

Energy energy_between(const std::vector<PackageReading>& before,
                      const std::vector<PackageReading>& after, int64_t ns) {
  if (before.empty()) return {0, "the kernel does not tell it"};
  Energy sum = {0, nullptr};
  for (const PackageReading& then : before) {
    const auto now = std::find_if(
        after.begin(), after.end(),
        [&](const PackageReading& each) { return each.zone == then.zone; });
    if (then.energy_uj < 0 || now == after.end() || now->energy_uj < 0) {
      return {0, "only the administrator may read it"};
    }
    int64_t energy = now->energy_uj - then.energy_uj;
    if (energy < 0) energy += then.range_uj;
    if (energy < 0) return {0, "a counter of energy has gone back"};
    const int64_t limit = then.limit_uw > 0
                              ? std::min(then.limit_uw, kMostPower_uw)
                              : kMostPower_uw;
    // In mW and ms, for which 64 bits have room.
    const int64_t most_uj = limit / 1000 * (ns / 1'000'000);
    if (then.range_uj > 0 && most_uj > then.range_uj) {
      return {0,
              "its counter may have begun anew several times in so long a run"};
    }
    sum.uj += energy;
  }
  return sum;
}

}  // namespace poprt::modules::energy
