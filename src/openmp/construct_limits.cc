#include "openmp/construct_limits.h"

#include <algorithm>

#include "base/bounded.h"
#include "model/constructs.h"
#include "model/quantities.h"

namespace poprt {
namespace {

using Part = int64_t ConstructTotals::*;

constexpr Part kSourceParts[] = {
    &ConstructTotals::mpi_inside_ns, &ConstructTotals::serialised_ns,
    &ConstructTotals::not_started_ns, &ConstructTotals::all_idle_ns,
    &ConstructTotals::accelerator_inside_ns};

int64_t lost_ns(const ConstructTotals& c) {
  return c.weighted_ns - c.useful_ns - c.mpi_ns - c.accelerator_ns;
}

int64_t imbalance_ns(const ConstructTotals& c) {
  int64_t ns = lost_ns(c);
  for (const Part source : kSourceParts) ns -= c.*source;
  return ns;
}

int64_t sum_of(const std::vector<ConstructTotals*>& constructs, Part part) {
  int64_t ns = 0;
  for (const ConstructTotals* const c : constructs) ns += c->*part;
  return ns;
}

// Of what the constructs have of a part, `excess_ns` are too much: they are
// taken off the largest.
void take_off(const std::vector<ConstructTotals*>& constructs, Part part,
              int64_t excess_ns) {
  while (excess_ns > 0 && !constructs.empty()) {
    int64_t& most_ns =
        (*std::ranges::max_element(constructs, {}, [part](const auto* c) {
          return c->*part;
        }))->*part;
    if (most_ns <= 0) return;
    const int64_t taken_ns = std::min(excess_ns, most_ns);
    most_ns -= taken_ns;
    excess_ns -= taken_ns;
  }
}

// A trace of work in the teams of others than the primary thread is on cores
// that count as lost in the constructs of its line.
void share_useful(const ConstructTotals& whole,
                  const std::vector<ConstructTotals*>& constructs) {
  int64_t more_ns = -lost_ns(whole);
  for (const ConstructTotals* const c : constructs) more_ns += lost_ns(*c);
  for (ConstructTotals* const c : constructs) {
    const int64_t ns =
        bounded<int64_t>(more_ns, 0, std::max<int64_t>(0, lost_ns(*c)));
    c->useful_ns += ns;
    more_ns -= ns;
    limit_losses(c);
  }
}

// What was booked in a construct but is more than it loses is in the region's
// sources.  It is not in what the constructs leave if that loses less.
void share_sources(const ConstructTotals& whole,
                   const std::vector<ConstructTotals*>& constructs) {
  int64_t excess_ns = -imbalance_ns(whole);
  for (const ConstructTotals* const c : constructs) {
    excess_ns += imbalance_ns(*c);
  }
  for (const Part source : kSourceParts) {
    int64_t left_ns =
        bounded<int64_t>(whole.*source - sum_of(constructs, source), 0,
                         std::max<int64_t>(0, excess_ns));
    for (ConstructTotals* const c : constructs) {
      const int64_t ns =
          bounded<int64_t>(left_ns, 0, std::max<int64_t>(0, imbalance_ns(*c)));
      c->*source += ns;
      left_ns -= ns;
      excess_ns -= ns;
    }
  }
}

}  // namespace

void limit_losses(ConstructTotals* totals) {
  int64_t rest = std::max<int64_t>(0, lost_ns(*totals));
  totals->scheduling_ns = bounded<int64_t>(totals->scheduling_ns, 0, rest);
  for (const Part part : kSourceParts) {
    totals->*part = bounded<int64_t>(totals->*part, 0, rest);
    rest -= totals->*part;
  }
}

// Threads that work on while the report is made are further in constructs than
// in the region's totals, which were read before.  And where other threads have
// parallel regions, what is booked in a construct may be another source of the
// region, which has less room.
void limit_to(const RegionTotals& region,
              const std::vector<ConstructTotals*>& constructs) {
  const ConstructTotals whole = all_constructs_in(region);
  const auto limit = [&](Part part) {
    take_off(constructs, part,
             sum_of(constructs, part) - std::max<int64_t>(0, whole.*part));
  };
  limit(&ConstructTotals::useful_ns);
  limit(&ConstructTotals::weighted_ns);
  limit(&ConstructTotals::mpi_ns);
  limit(&ConstructTotals::accelerator_ns);
  for (const Part source : kSourceParts) limit(source);
  for (ConstructTotals* const c : constructs) {
    c->useful_ns = std::min(c->useful_ns, c->weighted_ns);
    c->mpi_ns = std::min(c->mpi_ns, c->weighted_ns - c->useful_ns);
    c->accelerator_ns =
        std::min(c->accelerator_ns, c->weighted_ns - c->useful_ns - c->mpi_ns);
    limit_losses(c);
  }
  // What they leave is not known.
  if (works_off_the_line(region)) return;
  share_useful(whole, constructs);
  share_sources(whole, constructs);
}

}  // namespace poprt
