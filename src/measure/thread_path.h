// ThreadPath: the longest path to the last event of one thread (POPRT_PATH):
// its parts, and its lengths without the useful time in some regions.
//
// A wait for a late partner is on the path of G-ALL.  Here the path goes over
// to the partner's for the time of the wait.  At the end of a wait from
// `entered` to `left` for a partner whose path was `sent` long:
//
//   parts   = the partner's at `sent`, and left - sent in MPI or OpenMP,
//             if sent > entered; else the thread's own
//   without = max(own at `entered`, the partner's at `sent`)
//             + left - max(entered, sent)
//
// So the parts of the path add up to G-ALL, and no wait is on a path.  Only its
// thread changes the object.  Other threads may copy it, see sequence().
#ifndef POPRT_MEASURE_THREAD_PATH_H_
#define POPRT_MEASURE_THREAD_PATH_H_

#include <cstdint>
#include <memory>

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
  // `has_parts`: whether the parts are wanted.  `without`: for how many regions
  // the length without the region is wanted.
  ThreadPath(bool has_parts, int without)
      : has_parts_(has_parts), without_(without) {}

  // Other threads may copy this object while no Sequence::Change exists.  The
  // caller of pass(), add() and add_openmp() makes one around them.  All other
  // functions that change the object make one themselves.
  Sequence& sequence() { return sequence_; }
  const Sequence& sequence() const { return sequence_; }

  const PathNote& note() const { return note_; }
  // The path when the present wait in OpenMP began, for a thread whose wait
  // nobody will end.
  PathNote before_wait(int64_t rank) const;

  // The path grows by `ns` of the thread's time.  The length without region i
  // grows by weightless_ns[i] less.  `is_openmp`: the thread was in OpenMP, so
  // it may have waited.
  void pass(int64_t ns, const int64_t* weightless_ns, bool is_openmp);
  // Adds time to a part.  The times of all parts must add up to that of pass().
  void add(uint64_t what, int64_t rank, int64_t ns) {
    if (has_parts_) note_.add(what, rank, ns);
  }
  // The part of time in OpenMP from now on: the key of a construct, or
  // kPathOpenMp.
  void set_construct(uint64_t what) { construct_ = what; }
  uint64_t construct() const { return construct_; }
  // add() for time in OpenMP.
  void add_openmp(int64_t rank, int64_t ns);
  // Measurement begins anew: forgets everything but the construct.
  void restart();

  // The thread has given its path to others.  If it waits, the wait begins now.
  void given();
  // A wait in OpenMP for this partner ends.
  void merge(const PathNote& partner, int64_t rank);
  // A partner's path has arrived in an MPI call, of which `time_ns` are not
  // counted as a wait yet.
  void merge_call(const PathNote& partner, int64_t time_ns, int64_t rank);
  // An MPI call has found nothing.  Its time is taken off the lengths without
  // regions.  `useful_ns`: the thread's useful time so far.
  void polled(int64_t ns, int64_t useful_ns);
  // Of all such calls `waited_ns` were waits.  The rest is added again.
  void settle_polls(int64_t waited_ns, int64_t rest_ns, int64_t useful_ns);

  // moment() is the path at the end of a call.  merge_late() merges a path that
  // came after that call, of which `time_ns` are not counted as a wait yet.
  std::shared_ptr<const PathMoment> moment() const;
  void merge_late(const PathNote& partner, const PathMoment& then,
                  int64_t time_ns, int64_t rank);

 private:
  void take_over(const PathNote& partner, int64_t all_ns, uint64_t what,
                 int64_t rank);
  void add_to_without(int64_t ns);
  void begin_wait();

  // What the present wait in OpenMP has added to the parts, by construct.  If
  // there are more than kMostWaited constructs, the last one has the rest, as
  // kPathOpenMp.
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
  // ALL when the present wait in OpenMP began, or the later one of a partner.
  SharedWord<int64_t> wait_ns_ = 0;
  SharedWord<int64_t> wait_without_ns_[PathNote::kMostWithout] = {};
  // What the thread itself has added to the lengths without regions.
  SharedWord<int64_t> weight_ns_[PathNote::kMostWithout] = {};
  // How often the path went over to a partner's.
  SharedWord<uint32_t> changes_ = 0;
  // Useful time at the first call that found nothing (-1: there was none), and
  // whether the thread waited longer than it worked between such calls.
  SharedWord<int64_t> polls_useful_ns_ = -1;
  SharedWord<bool> polls_waited_ = false;
};

}  // namespace poprt

#endif  // POPRT_MEASURE_THREAD_PATH_H_
