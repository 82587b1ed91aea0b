// CheckpointTimes: when a process makes its checkpoints.
//
// None is made before the interval has passed.  After that, the processes of a
// job begin one after the other, so that few files are made at a time.  Later
// on, what a checkpoint takes decides: in a program whose processes wait for
// one another all the time, a pause of each process is a pause of all.  So what
// they take together is at most one part in kMostOfTime of the job's time, as
// long as the interval need not be more than kMostTimes as long for that.  A
// single checkpoint that is slow (a file server that does not answer) makes the
// next one of this process late.
#ifndef POPRT_SESSION_CHECKPOINT_TIMES_H_
#define POPRT_SESSION_CHECKPOINT_TIMES_H_

#include <algorithm>
#include <cstdint>

namespace poprt {

class CheckpointTimes {
 public:
  static constexpr int64_t kMostOfTime = 200;
  static constexpr int64_t kMostTimes = 60;
  static constexpr int64_t kAfterOne = 20;
  // Between the first checkpoints of two ranks.
  static constexpr int64_t kApartNs = 20'000'000;

  CheckpointTimes() = default;
  CheckpointTimes(int64_t begin_ns, int64_t interval_ns, int64_t rank,
                  int64_t ranks)
      : first_ns_(begin_ns + interval_ns + rank * kApartNs),
        interval_ns_(interval_ns),
        ranks_(ranks) {}

  int64_t first_ns() const { return first_ns_; }
  // The one after a checkpoint from `begin_ns` to `end_ns`.
  int64_t next_ns(int64_t begin_ns, int64_t end_ns) {
    const int64_t took_ns = end_ns - begin_ns;
    // Now and then one takes long because the process has lost its core.
    const int64_t usual_ns = std::min(took_ns, took_ns_);
    took_ns_ = took_ns;
    const int64_t most_ns = kMostTimes * interval_ns_;
    const int64_t times = kMostOfTime * ranks_;
    const int64_t together_ns =
        usual_ns < most_ns / times ? times * usual_ns : most_ns;
    return end_ns + std::max({interval_ns_, together_ns, kAfterOne * took_ns});
  }

 private:
  int64_t first_ns_ = INT64_MAX;
  int64_t interval_ns_ = 0;
  int64_t ranks_ = 1;
  int64_t took_ns_ = 0;  // the last one
};

}  // namespace poprt

#endif  // POPRT_SESSION_CHECKPOINT_TIMES_H_
