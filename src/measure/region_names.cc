#include "measure/region_names.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include "base/memory.h"
#include "model/totals.h"

namespace poprt {

std::string_view cut_name(std::string_view name, RoomForName& room) {
  constexpr size_t kMark = 1 + 8;  // '~' and hexadecimal digits
  size_t length = kLongestRegionName - kMark;
  // Not in the middle of a character of UTF-8.
  while (length > 0 && (name[length] & 0xC0) == 0x80) --length;
  char* next = std::copy_n(name.data(), length, room);
  *next++ = '~';
  const uint64_t hash = text_hash(name.data(), name.size());
  for (int shift = 28; shift >= 0; shift -= 4) {
    *next++ = "0123456789abcdef"[(hash ^ (hash >> 32)) >> shift & 0xF];
  }
  return {room, length + kMark};
}

struct RegionNames::Table {
  // By key.  Open addressing: the number of the name, or 0 if free.
  static constexpr int kIndexSize = 2 * kMost;
  std::atomic<int16_t> index[kIndexSize] = {};
  std::atomic<RegionName*> names[kMost] = {};
  std::atomic<int> count{0};

  // The keys of recent names that are not selected, so that a loop does not
  // compare its names with patterns each time.
  static constexpr int kLeftOut = 2048;
  std::atomic<uint64_t> left_out[kLeftOut] = {};
};

RegionNames::~RegionNames() {
  Table* const table = table_.load();
  if (table == nullptr) return;
  for (std::atomic<RegionName*>& name : table->names) delete name.load();
  delete table;
}

RegionName* RegionNames::at(int number) const {
  const Table* const table = table_.load(std::memory_order_acquire);
  if (table == nullptr || number < 1 ||
      number > table->count.load(std::memory_order_acquire)) {
    return nullptr;
  }
  return table->names[number - 1].load(std::memory_order_acquire);
}

int RegionNames::find(uint64_t key) const {
  const Table* const table = table_.load(std::memory_order_acquire);
  if (table == nullptr) return 0;
  if (table->left_out[key % Table::kLeftOut].load(std::memory_order_relaxed) ==
          key &&
      key != 0) {
    return kNotSelected;
  }
  for (size_t i = key % Table::kIndexSize;; i = (i + 1) % Table::kIndexSize) {
    const int number = table->index[i].load(std::memory_order_acquire);
    if (number == 0 || at(number)->key == key) return number;
  }
}

RegionNames::Table* RegionNames::table() {
  Table* known = table_.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  Table* const made = new (std::nothrow) Table;
  if (made == nullptr || table_.compare_exchange_strong(known, made)) {
    return made;
  }
  delete made;
  return known;
}

void RegionNames::leave_out(uint64_t key) {
  if (Table* const table = this->table()) {
    table->left_out[key % Table::kLeftOut].store(key,
                                                 std::memory_order_relaxed);
  }
}

int RegionNames::add(std::string_view text, uint64_t key) {
  Table* const there = this->table();
  if (there == nullptr) return kFull;
  Table& table = *there;
  const MutexLock lock(mutex_);
  const int known = find(key);
  if (known != 0) return known;
  if (!lock.held()) return kNotSelected;
  const int count = table.count.load(std::memory_order_relaxed);
  if (count == kMost) return kFull;
  RegionName* name = nullptr;
  const bool made = attempt_with_memory([&] {
    name = new RegionName;
    name->text = text;
  });
  if (!made) return kFull;
  name->key = key;
  table.names[count].store(name, std::memory_order_release);
  table.count.store(count + 1, std::memory_order_release);
  size_t i = key % Table::kIndexSize;
  while (table.index[i].load(std::memory_order_relaxed) != 0) {
    i = (i + 1) % Table::kIndexSize;
  }
  table.index[i].store(static_cast<int16_t>(count + 1),
                       std::memory_order_release);
  return count + 1;
}

}  // namespace poprt
