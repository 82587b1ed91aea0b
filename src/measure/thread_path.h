// ThreadPath: the longest path to the last event of one thread, as far as
// POPRT_PATH asks for it: what it is made of, and its length without the useful
// time in some regions.
//
// On the path of G-ALL a thread is also while it waits for a partner who is
// late.  Here the path goes over to that partner's, for as long as the thread
// waited: at the end of a wait from `entered` to `left` for a partner whose
// path was `sent` long,
//
//   parts   = the partner's at `sent`, and left - sent in MPI or OpenMP,
//             if sent > entered; else the thread's own
//   without = max(own at `entered`, the partner's at `sent`)
//             + left - max(entered, sent)
//
// So the parts of the path add up to G-ALL, and what is only waiting is on none
// of the paths.  Changed by its thread only; others may copy it, see
// sequence().  Times are in ns.
#ifndef POPRT_MEASURE_THREAD_PATH_H_
#define POPRT_MEASURE_THREAD_PATH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "clocks/path_note.h"

namespace poprt {

// A path at an earlier event, for a merge that is made later.
struct PathMoment {
  PathNote note;
  int64_t weight_ns[PathNote::kMostWithout] = {};
  uint32_t changes = 0;
};

class ThreadPath {
 public:
  // `has_parts`: not only the lengths without regions are wanted.  `without`:
  // how many regions there are to leave out.
  ThreadPath(bool has_parts, int without)
      : has_parts_(has_parts), without_(without) {}

  // Others may copy this object while it does not change.  The functions for
  // the time that passes belong to a change of the caller's; each of the others
  // is one.
  Sequence& sequence() { return sequence_; }
  const Sequence& sequence() const { return sequence_; }

  const PathNote& note() const { return note_; }
  // The path when the present wait in OpenMP began, of a thread that nobody
  // will let go on any more.
  PathNote before_wait(int64_t rank) const;

  // Time passes: `ns` in which the path grows, of which weightless_ns[i] does
  // not count without region i.  `is_openmp`: in OpenMP, where the thread may
  // have waited.
  void pass(int64_t ns, const int64_t* weightless_ns, bool is_openmp);
  // What that time was.  The amounts must add up to it.
  void add(uint64_t what, int64_t rank, int64_t ns) {
    if (has_parts_) note_.add(what, rank, ns);
  }
  // What the thread's time in OpenMP is from now on: the key of a construct, or
  // kPathOpenMp.
  void set_construct(uint64_t what) { construct_ = what; }
  uint64_t construct() const { return construct_; }
  // That time was in OpenMP.
  void add_openmp(int64_t rank, int64_t ns);
  // Forgets everything but the construct: measurement begins anew.
  void restart();

  // The thread has given its path to others: it waits for nobody yet.
  void given();
  // It leaves OpenMP, or goes on there, after this partner.
  void merge(const PathNote& partner, int64_t rank);
  // It is in an MPI call, of which `time_ns` are not counted as a wait yet.
  void merge_call(const PathNote& partner, int64_t time_ns, int64_t rank);
  // MPI calls that found nothing: they weigh nothing in the paths without
  // regions until it is known whether they waited.
  void polled(int64_t ns, int64_t useful_ns);
  // Of them `waited_ns` were waiting, and the rest weighs.
  void settle_polls(int64_t waited_ns, int64_t rest_ns, int64_t useful_ns);

  // The present event, and a merge that belongs to an earlier one, the end of a
  // call of which `time_ns` are not counted as a wait yet.
  std::shared_ptr<const PathMoment> moment() const;
  void merge_late(const PathNote& partner, const PathMoment& then,
                  int64_t time_ns, int64_t rank);

 private:
  void take_over(const PathNote& partner, int64_t all_ns, uint64_t what,
                 int64_t rank);
  void add_to_without(int64_t ns);
  void begin_wait();

  // What the present wait in OpenMP has added to the parts.  A thread is seldom
  // in several constructs without leaving OpenMP; those that have no room are
  // no constructs on the path.
  struct Waited {
    SharedWord<uint64_t> what;
    SharedWord<int64_t> ns;
  };
  static constexpr int kMostWaited = 4;

  Sequence sequence_;
  SharedWord<bool> has_parts_;
  SharedWord<int> without_;
  PathNote note_;
  SharedWord<uint64_t> construct_ = kPathOpenMp;
  Waited waited_[kMostWaited] = {};
  SharedWord<int> waited_count_ = 0;
  // When the present wait in OpenMP began, by ALL; later if a partner was.
  SharedWord<int64_t> wait_ns_ = 0;
  SharedWord<int64_t> wait_without_ns_[PathNote::kMostWithout] = {};
  // What the thread itself has added to the paths without regions.
  SharedWord<int64_t> weight_ns_[PathNote::kMostWithout] = {};
  SharedWord<uint32_t> changes_ =
      0;  // how often the path went over to another one
  // Of calls that found nothing: useful time when the first one ended, and
  // whether the last clocks ended a wait in such calls.
  SharedWord<int64_t> polls_useful_ns_ = -1;
  SharedWord<bool> polls_waited_ = false;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_PATH_H_
