#include "measure/call_sites.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "model/totals.h"

namespace poprt {
namespace {

std::atomic<bool> g_call_sites_wanted{false};
std::atomic<bool> g_construct_sites_wanted{false};

struct Listed {
  explicit Listed(Thread& thread) : sites(thread) {}
  CallSites sites;
  Listed* next = nullptr;
};
std::atomic<Listed*> g_all_call_sites{nullptr};

}  // namespace

// Space-Saving: if no counter is free, a new rank takes over the smallest one.
// The rank may have been there before, with at most what that counter has.
void LateRankCounters::add(int32_t rank, int64_t waiting_ns, int64_t error_ns) {
  Counter* least = nullptr;
  for (int i = 0; i < count_; ++i) {
    Counter& counter = counters_[i];
    if (counter.rank == rank) {
      counter.waiting_ns += waiting_ns;
      counter.error_ns += error_ns;
      ++counter.calls;
      return;
    }
    if (least == nullptr || counter.waiting_ns < least->waiting_ns) {
      least = &counter;
    }
  }
  if (count_ < kMost) {
    counters_[count_++] = {waiting_ns, error_ns, 1, rank};
    return;
  }
  missing_ns_ = std::max(missing_ns_, least->waiting_ns);
  *least = {least->waiting_ns + waiting_ns, least->waiting_ns + error_ns, 1,
            rank};
}

void LateRankCounters::add(const LateRankCounters& call) {
  missing_ns_ += call.missing_ns_;
  for (int i = 0; i < call.count_; ++i) {
    const Counter& each = call.counters_[i];
    add(each.rank, each.waiting_ns, each.error_ns);
  }
}

LateRanks LateRankCounters::totals() const {
  LateRanks late;
  late.missing_ns = missing_ns_;
  for (int i = 0; i < count_; ++i) {
    const Counter& each = counters_[i];
    late.ranks.push_back(
        {each.rank, each.calls, each.waiting_ns, each.error_ns});
  }
  std::ranges::sort(late.ranks, {}, &LateRank::rank);
  return late;
}

void CallSite::add_message(int64_t bytes) {
  const int size_class =
      std::bit_width(static_cast<uint64_t>(std::max<int64_t>(0, bytes)));
  ++sizes[std::min(size_class, kSizeClasses - 1)];
}

void CallSites::forget() {
  current_ = polled_ = nullptr;
  table_.forget();
}

void CallSites::begin(const char* function, const void* code) {
  current_ = table_.find(function, code, table_.sets.open());
  call_.waiting_ns = call_.unknown_ns = 0;
  call_.latest_ns = INT64_MIN;
  call_.latest_rank = -1;
  call_.late.forget();
  mpi_before_ns_ = thread_.mpi_ns();
}

void CallSites::end() {
  if (current_ == nullptr) return;
  CallSite* site = current_;
  current_ = nullptr;
  if (!knows_regions()) [[unlikely]] {
    // Its bytes stay in the entry in which they were counted.
    site = table_.find(site->name, site->code, 0);
  }
  ++site->calls;
  site->time_ns += thread_.mpi_ns() - mpi_before_ns_;
  site->waiting_ns += call_.waiting_ns;
  site->unknown_ns += call_.unknown_ns;
  site->late.add(call_.late);
}

void CallSites::waited_for_latest(LateRankCounters* late, int64_t ns) const {
  if (ns > 0 && call_.latest_rank >= 0) late->add(call_.latest_rank, ns);
}

void CallSites::add_waiting(int64_t ns) {
  call_.waiting_ns += ns;
  if (current_ != nullptr) waited_for_latest(&call_.late, ns);
}

void CallSites::add_poll(int64_t ns) {
  CallSite* const site = current_;
  if (site == nullptr) return;
  if (site->polled_ns == 0 && ns > 0) {
    site->earlier_polled = polled_;
    polled_ = site;
  }
  site->polled_ns += ns;
}

void CallSites::settle_polls(int64_t behind_ns) {
  while (polled_ != nullptr) {
    const int64_t behind = std::min(behind_ns, polled_->polled_ns);
    polled_->waiting_ns += polled_->polled_ns - behind;
    waited_for_latest(&polled_->late, polled_->polled_ns - behind);
    polled_->polled_ns = 0;
    behind_ns -= behind;
    CallSite* const earlier = polled_->earlier_polled;
    polled_->earlier_polled = nullptr;
    polled_ = earlier;
  }
}

void want_call_sites() {
  g_call_sites_wanted.store(true);
  want_construct_sites();
}

bool call_sites_wanted() { return g_call_sites_wanted.load(); }

void want_construct_sites() { g_construct_sites_wanted.store(true); }

bool construct_sites_wanted() { return g_construct_sites_wanted.load(); }

CallSites& new_call_sites(Thread& thread) {
  auto* const made = new Listed(thread);
  made->next = g_all_call_sites.load();
  while (!g_all_call_sites.compare_exchange_weak(made->next, made)) {
  }
  return made->sites;
}

void for_each_call_sites(void (*visit)(CallSites& sites, void* data),
                         void* data) {
  for (Listed* each = g_all_call_sites.load(); each != nullptr;
       each = each->next) {
    visit(each->sites, data);
  }
}

}  // namespace poprt
