// Samples: the durations of some of many short pieces of work, to estimate the
// time of all.
//
// One writer; others may read at any time.
#ifndef POPRT_MEASURE_SAMPLES_H_
#define POPRT_MEASURE_SAMPLES_H_

#include <cstdint>

#include "base/cell.h"

namespace poprt {

class Samples {
 public:
  void add(int64_t ns) {
    Bucket& bucket = buckets_[bucket_of(ns)];
    bucket.count.add(1);
    bucket.ns.add(ns);
  }

  int64_t count() const {
    int64_t count = 0;
    for (const Bucket& bucket : buckets_) count += bucket.count.get();
    return count;
  }
  // The mean without outliers, which took many times as long as most, because
  // the thread had lost its core. 0 if there are no samples.
  int64_t usual_ps() const {
    const int64_t all = count();
    int64_t ns = 0;
    int64_t seen = 0;
    int last = kBuckets;
    for (int i = 0; i < kBuckets && i < last; ++i) {
      seen += buckets_[i].count.get();
      ns += buckets_[i].ns.get();
      if (last == kBuckets && 2 * seen >= all) last = i + 1 + kLonger;
    }
    return seen == 0 ? 0 : ns * 1000 / seen;
  }

 private:
  struct Bucket {
    Cell count;
    Cell ns;
  };
  // By powers of two.  A clock may be too coarse for the first ones.
  static constexpr int kBuckets = 24;
  static constexpr int kFirst = 5;  // below 2^5 ns
  static constexpr int kLonger = 4;
  static int bucket_of(int64_t ns) {
    int bucket = 0;
    for (int64_t rest = ns >> kFirst; rest > 0 && bucket < kBuckets - 1;
         rest >>= 1) {
      ++bucket;
    }
    return bucket;
  }

  Bucket buckets_[kBuckets];
};

}  // namespace poprt

#endif  // POPRT_MEASURE_SAMPLES_H_
