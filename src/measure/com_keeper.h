// ComKeeper: who keeps COM and COMP of a process.
//
// At first the process has one COM of each region, on the line of its primary
// thread, and COMP is the same.  From begin_comp() on it has both, because they
// may differ.  From keep_in_threads() on each thread keeps them (ComTime), and
// start() is what the process had then.
//
// Invariants:
//  1. It only goes forward, each step once.
//  2. As long as they are the process's, com_ns() and comp_ns() are valid, and
//     no step changes them.
//  3. A step is made by who holds the process's mutex; any thread may read, and
//     raise what the regions have.
#ifndef POPRT_MEASURE_COM_KEEPER_H_
#define POPRT_MEASURE_COM_KEEPER_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "clocks/com_start.h"
#include "clocks/own_clocks.h"
#include "measure/region_table.h"

namespace poprt {

class ComKeeper {
 public:
  ComKeeper() = default;
  ~ComKeeper() { delete start(); }
  ComKeeper(const ComKeeper&) = delete;
  ComKeeper& operator=(const ComKeeper&) = delete;

  bool has_comp() const { return has_comp_.load(std::memory_order_acquire); }
  // Null as long as they are the process's.
  const ComStart* start() const {
    return start_.load(std::memory_order_acquire);
  }
  // `outside`: of the line, at the time in question.
  static int64_t com_ns(const Region& r, const OutsideMpi& outside) {
    return r.com().at(outside.com_ns);
  }
  int64_t comp_ns(const Region& r, const OutsideMpi& outside) const {
    return (has_comp() ? r.comp() : r.com()).at(outside.comp_ns);
  }

  // Till now the line's time outside MPI was the same for both.  REQUIRES: no
  // region was opened or closed, and no clock raised, since it differs;
  // !has_comp().
  void begin_comp(RegionTable& regions);
  // `start` is for what they are at `now_ns`.  REQUIRES: has_comp(); they are
  // the process's.
  void keep_in_threads(std::unique_ptr<ComStart> start, int64_t now_ns,
                       const OutsideMpi& outside, const RegionTable& regions);

  // A clock that has arrived is one of COMP, too.  Returns whether COM of a
  // region that is closed has become later.
  bool raise_com(Region& r, int64_t com_ns, const OutsideMpi& outside) {
    const bool rests_later = r.raise_com(com_ns, outside.com_ns);
    if (has_comp()) r.raise_comp(com_ns, outside.comp_ns);
    return rests_later;
  }
  // Whether that may change anything.
  bool may_raise_com(const Region& r, int64_t com_ns,
                     const OutsideMpi& outside) const {
    return has_comp() || r.is_com_later(com_ns, outside.com_ns);
  }
  // How many times threads have raised COM of closed regions.
  uint32_t changes() const { return changes_.load(std::memory_order_relaxed); }
  void count_change() { changes_.fetch_add(1, std::memory_order_relaxed); }

  // A thread works for which the primary thread does not wait.
  void note_alone() { works_alone_.store(true); }
  // Whether threads have to keep them, for that reason.  Of note_alone() and
  // what tells of MPI, whichever is later sees the other.
  bool is_for_threads(bool has_mpi) const {
    return has_mpi && works_alone_.load();
  }

 private:
  std::atomic<bool> has_comp_{false};
  std::atomic<bool> works_alone_{false};
  std::atomic<const ComStart*> start_{nullptr};
  std::atomic<uint32_t> changes_{0};
};

}  // namespace poprt

#endif  // POPRT_MEASURE_COM_KEEPER_H_
