// What is missing in the sums of counters.
#include "measure/process_totals.h"
#include "model/noted.h"

namespace poprt {
namespace {

// In ns.
constexpr int64_t kLongWithoutCounts = 100'000'000;

}  // namespace

void ProcessTotals::note_counters(Quality* quality) const {
  if (process_.counting() == nullptr) return;
  int64_t without = 0;
  int64_t faults = 0;
  for (const Thread* member : members_) {
    if (!member->has_counters()) ++without;
    faults += member->counter_faults();
  }
  if (without > 0) {
    quality->notes.push_back(noted<"counters_of_threads">(without));
  }
  if (faults > 0) {
    quality->notes.push_back(noted<"counters_unread">(faults));
  }
  const int first = process_.counting()->first_account;
  for (int i = 0; i < process_.counting()->source->size(); ++i) {
    int64_t counted = 0;
    int64_t useful = 0;
    for (const Thread* member : members_) {
      counted += member->amount(first + 1 + i);
      useful += member->amount(first);
    }
    // A counter of cache misses may be 0, but not for long.
    if (counted > 0 || useful < kLongWithoutCounts) continue;
    quality->notes.push_back(
        noted<"counter_still">(process_.counting()->source->name(i)));
  }
}

}  // namespace poprt
