#include "model/device_totals.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "model/device_members.h"

namespace poprt {
namespace {

__extension__ using WideNs = __int128;

void operator+=(DeviceRegion& a, const DeviceRegion& b);
void operator+=(DeviceTotals& a, const DeviceTotals& b);

// What is only in b goes to its place by the key, the rest is added.
template <class Item, class Key>
void add_all(std::vector<Item>& a, const std::vector<Item>& b, Key Item::*key) {
  for (const Item& item : b) {
    const auto at = std::ranges::lower_bound(a, item.*key, {}, key);
    if (at == a.end() || (*at).*key != item.*key) {
      a.insert(at, item);
    } else {
      *at += item;
    }
  }
}

// As bounded_sum() of members.h, of numbers that are not negative.
constexpr auto kAdd = [](const char*, int64_t& a, const int64_t& b) {
  if (__builtin_add_overflow(a, b, &a)) a = std::numeric_limits<int64_t>::max();
};
constexpr auto kRaise = [](const char*, int64_t& a, const int64_t& b) {
  a = std::max(a, b);
};

void operator+=(DeviceRegion& a, const DeviceRegion& b) {
  visit_numbers(kAdd, kRaise, a, b);
}

void operator+=(DeviceTotals& a, const DeviceTotals& b) {
  if (a.name.empty() || (!b.name.empty() && b.name < a.name)) a.name = b.name;
  visit_sums(kAdd, a, b);
  add_all(a.regions, b.regions, &DeviceRegion::name);
}

}  // namespace

DeviceRegion device_region(std::string name, const DeviceTime& time) {
  DeviceRegion region;
  region.name = std::move(name);
  region.elapsed_ns = time.elapsed_ns();
  region.kernels.add(time.kernels_ns);
  region.active.add(time.kernels_ns + time.copies_ns);
  region.busy.add(time.busy_ns());
  region.idle_ns = time.idle_ns;
  return region;
}

std::vector<DeviceTotals> combine_devices(std::vector<DeviceTotals> a,
                                          const std::vector<DeviceTotals>& b) {
  add_all(a, b, &DeviceTotals::key);
  return a;
}

int64_t limit_devices(std::vector<DeviceTotals>* devices) {
  int64_t left_out = 0;
  while (devices->size() > kDevicesMax) {
    kAdd("", left_out, devices->back().processes);
    devices->pop_back();
  }
  return left_out;
}

void sort_devices(std::vector<DeviceTotals>* devices) {
  std::ranges::sort(*devices, {}, &DeviceTotals::key);
  for (DeviceTotals& device : *devices) {
    std::ranges::sort(device.regions, {}, &DeviceRegion::name);
  }
}

bool are_devices_sorted(const std::vector<DeviceTotals>& devices) {
  const auto rises = [](const auto& list, auto member) {
    return std::ranges::adjacent_find(list, std::ranges::greater_equal(),
                                      member) == list.end();
  };
  return rises(devices, &DeviceTotals::key) &&
         std::ranges::all_of(devices, [&](const DeviceTotals& device) {
           return rises(device.regions, &DeviceRegion::name);
         });
}

std::vector<DeviceKnown> devices_in(const std::vector<DeviceTotals>& devices,
                                    std::string_view region) {
  std::vector<DeviceKnown> known;
  for (const DeviceTotals& device : devices) {
    const auto own =
        std::ranges::find(device.regions, region, &DeviceRegion::name);
    known.push_back(own == device.regions.end()
                        ? DeviceKnown()
                        : with_doubts(known_of(*own), device, *own));
  }
  return known;
}

DeviceKnown known_of(const DeviceRegion& region) {
  DeviceKnown known;
  known.kernels = region.kernels.within(region.elapsed_ns);
  known.active = region.active.within(region.elapsed_ns);
  const int64_t busy_ns = region.busy.within(region.elapsed_ns).middle_ns();
  known.time.kernels_ns = known.kernels.middle_ns();
  known.time.copies_ns = known.active.middle_ns() - known.time.kernels_ns;
  known.time.graphs_ns = busy_ns - known.active.middle_ns();
  known.time.idle_ns = split_by(region.elapsed_ns - busy_ns, region.idle_ns);
  return known;
}

DeviceKnown with_doubts(DeviceKnown known, const DeviceTotals& device,
                        const DeviceRegion& region) {
  constexpr int64_t kMany = 100;
  const bool is_any = region.unknown_operations > region.operations / kMany;
  for (TimeRange* range : {&known.kernels, &known.active}) {
    range->least_ns = std::max<int64_t>(0, range->least_ns - device.bridged_ns);
    range->most_ns =
        is_any ? region.elapsed_ns
               : std::min(region.elapsed_ns, range->most_ns + device.late_ns);
  }
  return known;
}

// Sums are rounded, and not parts, so rounding adds nothing.
std::array<int64_t, kHostParts> split_by(
    int64_t ns, const std::array<int64_t, kHostParts>& shares) {
  std::array<int64_t, kHostParts> parts = {};
  int64_t all = 0;
  for (const int64_t share : shares) all += share;
  if (all == 0) {
    parts[static_cast<size_t>(HostPart::kUnknown)] = ns;
    return parts;
  }
  int64_t sum = 0;
  int64_t given_ns = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    sum += shares[i];
    const auto until_ns = static_cast<int64_t>(WideNs{ns} * sum / all);
    parts[i] = until_ns - given_ns;
    given_ns = until_ns;
  }
  return parts;
}

}  // namespace poprt
