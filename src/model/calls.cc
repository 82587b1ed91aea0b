#include "model/calls.h"

#include <algorithm>
#include <utility>

#include "model/members.h"

namespace poprt {
namespace {

// What a summary says of a rank: if it is missing, at most what it may have.
LateRank rank_of(const LateRanks& late, int64_t rank) {
  for (const LateRank& each : late.ranks) {
    if (each.rank == rank) return each;
  }
  return {rank, 0, late.missing_ns, late.missing_ns};
}

}  // namespace

void add(LateRanks* a, const LateRanks& b) {
  LateRanks sum;
  sum.missing_ns = bounded_sum(a->missing_ns, b.missing_ns);
  const auto add_rank = [&](int64_t rank) {
    LateRank both = rank_of(*a, rank);
    const LateRank other = rank_of(b, rank);
    both.calls = bounded_sum(both.calls, other.calls);
    both.waiting_ns = bounded_sum(both.waiting_ns, other.waiting_ns);
    both.error_ns = bounded_sum(both.error_ns, other.error_ns);
    sum.ranks.push_back(both);
  };
  for (const LateRank& each : a->ranks) add_rank(each.rank);
  for (const LateRank& each : b.ranks) {
    const bool is_new = std::ranges::none_of(
        a->ranks,
        [&](const LateRank& known) { return known.rank == each.rank; });
    if (is_new) add_rank(each.rank);
  }
  std::ranges::sort(sum.ranks, [](const LateRank& x, const LateRank& y) {
    return x.waiting_ns != y.waiting_ns ? x.waiting_ns > y.waiting_ns
                                        : x.rank < y.rank;
  });
  if (sum.ranks.size() > LateRanks::kMost) {
    sum.missing_ns =
        std::max(sum.missing_ns, sum.ranks[LateRanks::kMost].waiting_ns);
    sum.ranks.resize(LateRanks::kMost);
  }
  std::ranges::sort(sum.ranks, {}, &LateRank::rank);
  *a = std::move(sum);
}

void limit(LateRanks* late, int64_t waiting_ns) {
  for (LateRank& each : late->ranks) {
    const int64_t least_ns =
        std::max<int64_t>(0, each.waiting_ns - each.error_ns);
    const int64_t most_ns = std::min(least_ns, waiting_ns);
    each.waiting_ns -= least_ns - most_ns;
    waiting_ns -= most_ns;
  }
}

void complete(LateRanks* late, int64_t waiting_ns) {
  limit(late, waiting_ns);
  for (const LateRank& each : late->ranks) waiting_ns -= each.waiting_ns;
  if (waiting_ns > 0) {
    late->missing_ns = bounded_sum(late->missing_ns, waiting_ns);
  }
}

void add(CallTotals* a, const CallTotals& b) {
  combine_members(kCallMembers, a, b);
  for (const SizeClass& each : b.sizes) {
    const auto place = std::ranges::lower_bound(a->sizes, each.below_bytes, {},
                                                &SizeClass::below_bytes);
    if (place != a->sizes.end() && place->below_bytes == each.below_bytes) {
      place->messages = bounded_sum(place->messages, each.messages);
    } else {
      a->sizes.insert(place, each);
    }
  }
  add(&a->late, b.late);
}

}  // namespace poprt
