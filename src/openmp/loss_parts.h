// LossParts: the sources of a thread's wait in an interval of its team
// (docs/metrics.md, additive).
//
// In an interval each thread does seven kinds of work (Doing) and waits for the
// rest of the time.  The thread that came last waits least.  What another
// thread waits longer is split in proportion to what the last one did more of
// each kind.
#ifndef POPRT_OPENMP_LOSS_PARTS_H_
#define POPRT_OPENMP_LOSS_PARTS_H_

#include <algorithm>
#include <cstdint>

namespace poprt {

// What a thread does in an interval, when it does not wait for others.
enum Doing : int {
  kDoingUseful,
  kDoingSingle,       // useful, in `single` or `masked`
  kDoingMpi,          // in MPI
  kDoingSerialised,   // waits for a lock, an ordered region or a dependence
  kDoingNotStarted,   // has not begun, though the primary thread has
  kDoingAccelerator,  // in calls to accelerators
  kDoingRuntime,      // anything else in the OpenMP runtime
};
inline constexpr int kDoings = 7;

struct Amounts {
  int64_t ns[kDoings] = {};

  // The kinds that are 0 in most intervals.
  int64_t rare_ns() const {
    return ns[kDoingSingle] + ns[kDoingMpi] + ns[kDoingSerialised] +
           ns[kDoingAccelerator];
  }
  int64_t busy_ns() const {
    int64_t sum = 0;
#pragma GCC unroll 7
    for (int i = 0; i < kDoings; ++i) sum += ns[i];
    return sum;
  }
};

// Amounts of a thread whose rare_ns() are 0.
struct UsualAmounts {
  int64_t until_ns = 0;  // the interval's begin, plus all that the thread did
  int64_t useful_ns = 0;
  int64_t not_started_ns = 0;

  int64_t runtime_ns(int64_t begin_ns) const {
    return std::max<int64_t>(0,
                             until_ns - begin_ns - useful_ns - not_started_ns);
  }
};

// Whether the thread of `a` came later than that of `b`.  At the same time, the
// first kind of work of which one thread did more decides.
inline bool came_later(const Amounts& a, const Amounts& b) {
  const int64_t more = a.busy_ns() - b.busy_ns();
  if (more != 0) return more > 0;
  for (const Doing doing : {kDoingUseful, kDoingMpi, kDoingAccelerator,
                            kDoingSerialised, kDoingSingle, kDoingNotStarted}) {
    if (a.ns[doing] != b.ns[doing]) return a.ns[doing] > b.ns[doing];
  }
  return false;
}

// The sources of a loss.  The rest of a loss is imbalance.
enum LossSource : int {
  kSourceMpi,
  kSourceSerialised,
  kSourceScheduling,
  kSourceNotStarted,
  kSourceAccelerator,
};
inline constexpr int kLossSources = 5;

struct LossParts {
  int64_t ns[kLossSources] = {};

  void add(const LossParts& other) {
    for (int i = 0; i < kLossSources; ++i) ns[i] += other.ns[i];
  }
};

// Why a thread with `own` waits longer than the thread that came last.  Parts
// are rounded down.  The rest of the difference is imbalance.
inline LossParts parts_of(const Amounts& own, const Amounts& last) {
  int64_t more[kDoings];
  int64_t all = 0;
  int64_t waits = 0;
#pragma GCC unroll 7
  for (int i = 0; i < kDoings; ++i) {
    const int64_t difference = last.ns[i] - own.ns[i];
    waits += difference;
    more[i] = std::max<int64_t>(0, difference);
    all += more[i];
  }
  LossParts parts;
  if (waits <= 0) return parts;
  // A product of two times may need more than 64 bits.
  const double share = static_cast<double>(waits) / static_cast<double>(all);
  const auto part = [&](Doing doing) {
    return static_cast<int64_t>(static_cast<double>(more[doing]) * share);
  };
  parts.ns[kSourceMpi] = part(kDoingMpi);
  parts.ns[kSourceSerialised] = part(kDoingSingle) + part(kDoingSerialised);
  parts.ns[kSourceScheduling] = part(kDoingRuntime);
  parts.ns[kSourceNotStarted] = part(kDoingNotStarted);
  parts.ns[kSourceAccelerator] = part(kDoingAccelerator);
  return parts;
}

// The same for usual amounts; not certain if both of their numbers are equal.
inline bool came_later(const UsualAmounts& a, const UsualAmounts& b) {
  return a.until_ns != b.until_ns ? a.until_ns > b.until_ns
                                  : a.useful_ns > b.useful_ns;
}

struct UsualParts {
  int64_t scheduling_ns = 0;
  int64_t not_started_ns = 0;
};
inline UsualParts parts_of(const UsualAmounts& own, const UsualAmounts& last,
                           int64_t begin_ns) {
  const int64_t waits = last.until_ns - own.until_ns;
  if (waits <= 0) return {};
  const UsualParts more = {
      std::max<int64_t>(0,
                        last.runtime_ns(begin_ns) - own.runtime_ns(begin_ns)),
      std::max<int64_t>(0, last.not_started_ns - own.not_started_ns)};
  const int64_t all = std::max<int64_t>(0, last.useful_ns - own.useful_ns) +
                      more.scheduling_ns + more.not_started_ns;
  if (all <= waits) return more;
  const double share = static_cast<double>(waits) / static_cast<double>(all);
  const auto part = [&](int64_t ns) {
    return static_cast<int64_t>(static_cast<double>(ns) * share);
  };
  return {part(more.scheduling_ns), part(more.not_started_ns)};
}

}  // namespace poprt

#endif  // POPRT_OPENMP_LOSS_PARTS_H_
