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
  sum.missing_ns = a->missing_ns + b.missing_ns;
  const auto add_rank = [&](int64_t rank) {
    LateRank both = rank_of(*a, rank);
    const LateRank other = rank_of(b, rank);
    both.calls += other.calls;
    both.waiting_ns += other.waiting_ns;
    both.error_ns += other.error_ns;
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

void add(CallTotals* a, const CallTotals& b) {
  combine_members(kCallMembers, a, b);
  for (const SizeClass& each : b.sizes) {
    const auto place = std::ranges::lower_bound(a->sizes, each.below_bytes, {},
                                                &SizeClass::below_bytes);
    if (place != a->sizes.end() && place->below_bytes == each.below_bytes) {
      place->messages += each.messages;
    } else {
      a->sizes.insert(place, each);
    }
  }
  add(&a->late, b.late);
}

int64_t keep_heaviest(size_t most, std::vector<CallTotals>* calls) {
  std::vector<CallTotals> kept;
  int64_t left_out = 0;
  for (size_t begin = 0; begin < calls->size();) {
    size_t end = begin;
    std::vector<const CallTotals*> order;
    CallTotals rest;
    rest.region = (*calls)[begin].region;
    for (; end < calls->size() && (*calls)[end].region == rest.region; ++end) {
      const CallTotals& each = (*calls)[end];
      if (each.function.empty()) {
        add(&rest, each);
      } else {
        order.push_back(&each);
      }
    }
    std::ranges::sort(order, [](const auto* a, const auto* b) {
      return a->time_ns != b->time_ns ? a->time_ns > b->time_ns : a < b;
    });
    for (size_t i = most; i < order.size(); ++i) {
      add(&rest, *order[i]);
      ++left_out;
    }
    order.resize(std::min(most, order.size()));
    if (rest.calls != 0 || rest.time_ns != 0) kept.push_back(rest);
    std::ranges::sort(order);  // as they were
    for (const CallTotals* each : order) kept.push_back(*each);
    begin = end;
  }
  *calls = std::move(kept);
  return left_out;
}

}  // namespace poprt
