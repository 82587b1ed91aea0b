#include "measure/regions.h"

#include <utility>

namespace poprt {

int Regions::add(std::string_view name, uint64_t key) {
  const int slot = table_.add(name, key);
  if (slot >= travelling_.most()) travelling_.fill();
  return slot;
}

void Regions::begin_comp() {
  if (com_.has_comp()) return;
  com_.begin_comp(table_);
  sends_more_.store(true, std::memory_order_release);
}

void Regions::keep_com_in_threads(std::unique_ptr<ComStart> start,
                                  int64_t now_ns, const OutsideMpi& outside) {
  begin_comp();
  com_.keep_in_threads(std::move(start), now_ns, outside, table_);
  epoch_.call_threads();
}

void Regions::lose_common_idle(int64_t begin_ns, int64_t ns) {
  for (int slot = 0; slot < count(); ++slot) {
    Region& r = at(slot);
    if (r.elapsed().open && r.changed_ns() > begin_ns) r.lose_common_idle(ns);
  }
}

}  // namespace poprt
