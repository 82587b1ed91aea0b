// The names that a program has handles of, and those that it has none of
// because they are not selected.
#ifndef POPRT_RUNTIME_REGION_NAMES_H_
#define POPRT_RUNTIME_REGION_NAMES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/mutex.h"

namespace poprt {

// One of them.  It stays where it is as long as the table.
struct RegionName {
  std::string text;
  uint64_t key = 0;  // region_key() of it
  // Where the region was when it was last opened; -1: nowhere yet.
  std::atomic<int> slot{-1};
};

// A table that grows up to kMost names.  Known names and handles are looked up
// without a lock; memory is taken with the first name.  Names that are not
// selected have no number, and there may be any number of them.
class RegionNames {
 public:
  static constexpr int kMost = 1024;

  RegionNames() = default;
  ~RegionNames();
  RegionNames(const RegionNames&) = delete;
  RegionNames& operator=(const RegionNames&) = delete;

  static constexpr int kFull = 0;
  static constexpr int kNotSelected = -1;

  // The number of the name, from 1 on.  A name that has none is added where
  // `selected` says so.
  template <class Selected>
  int find_or_add(std::string_view text, uint64_t key, Selected selected) {
    const int known = find(key);
    if (known != 0) return known;
    if (selected(text)) return add(text, key);
    leave_out(key);
    return kNotSelected;
  }

  // The name with this number; null: there is none.
  RegionName* at(int number) const;

 private:
  struct Table;
  Table* table();                // null: there is no memory for it
  int find(uint64_t key) const;  // 0: not known
  int add(std::string_view text, uint64_t key);
  void leave_out(uint64_t key);

  Mutex mutex_;  // of those who add
  std::atomic<Table*> table_{nullptr};
};

}  // namespace poprt

#endif  // POPRT_RUNTIME_REGION_NAMES_H_
