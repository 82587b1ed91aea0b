// ComKeeper: whether a process or its threads keep COM and COMP.
//
// At first the process has one COM for each region, which follows its primary
// thread and is also COMP.  From begin_comp() on the process has both, because
// they may differ.  From keep_in_threads() on each thread has its own
// (ComTime), and start() has the process's values of that time.
//
// Invariants:
//  1. Each of these two steps is made at most once, in this order.
//  2. com_ns() and comp_ns() are valid until keep_in_threads().  Their values
//     stay the same in begin_comp().
//  3. Whoever makes a step holds the process's mutex.  Any thread may read, and
//     raise the clocks of regions.
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
  // Null until keep_in_threads().
  const ComStart* start() const {
    return start_.load(std::memory_order_acquire);
  }
  // `outside`: of the primary thread, at the time in question.
  static int64_t com_ns(const Region& r, const OutsideMpi& outside) {
    return r.com().at(outside.com_ns);
  }
  int64_t comp_ns(const Region& r, const OutsideMpi& outside) const {
    return (has_comp() ? r.comp() : r.com()).at(outside.comp_ns);
  }

  // To be called when the primary thread's two times of OutsideMpi begin to
  // differ, before a region is opened or closed, or a clock is raised.
  // REQUIRES: !has_comp().
  void begin_comp(RegionTable& regions);
  // Fills in `start` as of `now_ns`.  REQUIRES: has_comp(); start() is null.
  void keep_in_threads(std::unique_ptr<ComStart> start, int64_t now_ns,
                       const OutsideMpi& outside, const RegionTable& regions);

  // Raises COM, and COMP, which is at least COM.  Returns whether COM of a
  // closed region was raised.
  bool raise_com(Region& r, int64_t com_ns, const OutsideMpi& outside) {
    const bool rests_later = r.raise_com(com_ns, outside.com_ns);
    if (has_comp()) r.raise_comp(com_ns, outside.comp_ns);
    return rests_later;
  }
  // Whether raise_com() may change anything.
  bool may_raise_com(const Region& r, int64_t com_ns,
                     const OutsideMpi& outside) const {
    return has_comp() || r.is_com_later(com_ns, outside.com_ns);
  }
  // How many times threads have raised COM of closed regions.
  uint32_t changes() const { return changes_.load(std::memory_order_relaxed); }
  void count_change() { changes_.fetch_add(1, std::memory_order_relaxed); }

  // A thread works for which the primary thread does not wait.
  void note_alone() { works_alone_.store(true); }
  // Whether threads have to keep COM and COMP for that reason.  Asked after
  // note_alone() and when MPI is found, so that the later of both sees it.
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
