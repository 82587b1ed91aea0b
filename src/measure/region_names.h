// The region names that have handles, and recent names that are not selected.
#ifndef POPRT_MEASURE_REGION_NAMES_H_
#define POPRT_MEASURE_REGION_NAMES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace poprt {

// Longer names are cut to this many bytes.  They end in a mark of the whole
// name then, so that names that only begin alike are of different regions.
inline constexpr size_t kLongestRegionName = 127;
using RoomForName = char[kLongestRegionName];
// The name, or what is kept of it, in `room`.
[[gnu::noinline]] std::string_view cut_name(std::string_view name,
                                            RoomForName& room);
inline std::string_view kept_name(std::string_view name, RoomForName& room) {
  return name.size() <= kLongestRegionName ? name : cut_name(name, room);
}

// A name.  It stays at its address as long as the table exists.
struct RegionName {
  std::string text;
  uint64_t key = 0;  // text_hash() of it
  // The slot where the region was last opened; -1 if it never was.
  std::atomic<int> slot{-1};
};

// A table of at most kMost names.  Lookup by name or handle takes no lock.
// Memory is allocated with the first name.  Names that are not selected have no
// number, and there may be any number of them.
class RegionNames {
 public:
  static constexpr int kMost = 1024;

  RegionNames() = default;
  ~RegionNames();
  RegionNames(const RegionNames&) = delete;
  RegionNames& operator=(const RegionNames&) = delete;

  static constexpr int kFull = 0;
  static constexpr int kNotSelected = -1;

  // The number of a name, from 1 on.  A new name is added if `selected` says
  // so.
  template <class Selected>
  int find_or_add(std::string_view text, uint64_t key, Selected selected) {
    const int known = find(key);
    if (known != 0) return known;
    if (selected(text)) return add(text, key);
    leave_out(key);
    return kNotSelected;
  }

  // The name with this number; null if there is none.
  RegionName* at(int number) const;

 private:
  struct Table;
  Table* table();                // null if there is no memory for it
  int find(uint64_t key) const;  // 0 if not known
  int add(std::string_view text, uint64_t key);
  void leave_out(uint64_t key);

  Mutex mutex_;  // for adding names
  std::atomic<Table*> table_{nullptr};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_REGION_NAMES_H_
