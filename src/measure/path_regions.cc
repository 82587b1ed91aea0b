#include "measure/path_regions.h"

#include "base/memory.h"
#include "measure/process.h"

namespace poprt {

void PathRegions::run(int slot, bool runs, int64_t now_ns) {
  if (slot == kNone) return;
  const int64_t ns = Elapsed::of(words_[slot].load()).ns;
  words_[slot].store(Elapsed{runs, runs ? ns - now_ns : ns + now_ns}.word(),
                     std::memory_order_release);
}

void PathRegions::set_open(int slot, bool open, int64_t now_ns) {
  if (open) {
    if (!attempt_with_memory([&] { open_.push_back(slot); })) return;
  } else {
    std::erase(open_, slot);
  }
  const int next = open_.empty() ? kNone : open_.back();
  const int before = innermost();
  if (next == before) return;
  run(before, false, now_ns);
  run(next, true, now_ns);
  innermost_.store(next, std::memory_order_release);
}

}  // namespace poprt
