// What is missing in the sums of counters.
#include <string>

#include "measure/process_totals.h"

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
    quality->notes.push_back("counters did not run on " +
                             std::to_string(without) +
                             " threads of a process: their useful time is in "
                             "no counter");
  }
  if (faults > 0) {
    quality->notes.push_back(
        "counters could not be read, or went back, " + std::to_string(faults) +
        " times in a process: what they counted then is left out");
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
    quality->notes.push_back(std::string("the counter ") +
                             process_.counting()->source->name(i) +
                             " has counted nothing in a process");
  }
}

}  // namespace poprt
