#include "openmp/dependences.h"

#include <initializer_list>

namespace poprt {
namespace {

size_t hash_of(uint64_t address) {
  return static_cast<size_t>((address * 0x9E3779B97F4A7C15u) >> 32);
}

void add_after(TaskEdges& edges, std::initializer_list<SyncClock*> clocks) {
  for (SyncClock* clock : clocks) {
    if (clock != nullptr) edges.after.push_back(clock);
  }
}

}  // namespace

// The entry of `address`, or a free one.
DependenceTable::Entry& DependenceTable::find(uint64_t address) {
  const size_t mask = entries_.size() - 1;
  size_t i = hash_of(address) & mask;
  while (entries_[i].used && entries_[i].address != address) i = (i + 1) & mask;
  return entries_[i];
}

void DependenceTable::grow() {
  constexpr size_t kFirst = 16;
  std::vector<Entry> old(entries_.empty() ? kFirst : 2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.used) find(entry.address) = entry;
  }
}

void DependenceTable::add(ClockPool& pool, ClockPool::Local& local,
                          const std::vector<Dependence>& dependences,
                          bool feeds, TaskEdges& edges) {
  const auto feed = [&](SyncClock*& clock) {
    if (!feeds) return;
    if (clock == nullptr) clock = pool.take(local);
    edges.feeds.push_back(clock);
  };
  add_after(edges, {all_memory_});
  for (const Dependence& dependence : dependences) {
    if (dependence.type == DependenceType::kAllMemory) {
      for (const Entry& e : entries_) {
        add_after(edges, {e.in, e.out, e.inoutset});
      }
      feed(all_memory_);
      continue;
    }
    if (4 * (used_ + 1) > 3 * entries_.size()) grow();
    Entry& e = find(dependence.address);
    if (!e.used) {
      if (!feeds) continue;
      e.used = true;
      e.address = dependence.address;
      ++used_;
    }
    switch (dependence.type) {
      case DependenceType::kIn:
        add_after(edges, {e.out, e.inoutset});
        feed(e.in);
        break;
      case DependenceType::kInoutset:
        add_after(edges, {e.in, e.out});
        feed(e.inoutset);
        break;
      default:
        // Members of a mutexinoutset run one after another in any order: the
        // one that was created first may run last.
        feed(e.out);
        add_after(edges, {e.in, e.out, e.inoutset});
        break;
    }
  }
}

void DependenceTable::clear(ClockPool& pool, ClockPool::Local& local) {
  const auto recycle = [&](SyncClock*& clock) {
    if (clock == nullptr) return;
    clock->reset();
    pool.recycle(local, clock);
    clock = nullptr;
  };
  recycle(all_memory_);
  if (used_ == 0) return;
  for (Entry& e : entries_) {
    recycle(e.in);
    recycle(e.out);
    recycle(e.inoutset);
    e.used = false;
  }
  used_ = 0;
}

}  // namespace poprt
