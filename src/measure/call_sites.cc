#include "measure/call_sites.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>

#include "base/memory.h"
#include "base/mix.h"
#include "measure/process.h"

namespace poprt {
namespace {

std::atomic<bool> g_call_sites_wanted{false};

struct Listed {
  explicit Listed(Thread& thread) : sites(thread) {}
  CallSites sites;
  Listed* next = nullptr;
};
std::atomic<Listed*> g_all_call_sites{nullptr};

}  // namespace

// Space-Saving: a new rank takes the place of the one with the least, which may
// have been its own so far.
void LateRankCounters::add(int32_t rank, int64_t waiting_ns) {
  Counter* least = nullptr;
  for (int i = 0; i < count_; ++i) {
    Counter& counter = counters_[i];
    if (counter.rank == rank) {
      counter.waiting_ns += waiting_ns;
      ++counter.calls;
      return;
    }
    if (least == nullptr || counter.waiting_ns < least->waiting_ns) {
      least = &counter;
    }
  }
  if (count_ < kMost) {
    counters_[count_++] = {waiting_ns, 0, 1, rank};
    return;
  }
  missing_ns_ = std::max(missing_ns_, least->waiting_ns);
  *least = {least->waiting_ns + waiting_ns, least->waiting_ns, 1, rank};
}

void CallSite::add_message(int64_t bytes) {
  const int size_class =
      std::bit_width(static_cast<uint64_t>(std::max<int64_t>(0, bytes)));
  ++sizes[std::min(size_class, kSizeClasses - 1)];
}

CallSites::CallSites(Thread& thread) : thread_(thread) {
  sites_ = static_cast<CallSite*>(
      take_memory(kMostSites * sizeof(CallSite), alignof(CallSite)));
  forget();
}

CallSites::~CallSites() { release_memory(sites_); }

uint32_t CallSites::epoch() const { return thread_.process().epoch(); }

void CallSites::forget() {
  site_count_ = 0;
  current_ = polled_ = nullptr;
  std::fill(places_, places_ + kPlaces, uint16_t{0});
  // The first set is that of calls during which a region is opened or closed.
  sets_[0].reset();
  const int global = thread_.process().slot_of_key(kGlobalKey, 0);
  if (global >= 0) sets_[0][static_cast<size_t>(global)] = true;
  others_[0] = CallSite();
  set_count_ = 1;
  learn_regions();
}

void CallSites::learn_regions() {
  epoch_ = epoch();
  const Regions open = thread_.open_regions();
  open_ = 0;
  while (open_ < set_count_ && sets_[open_] != open) ++open_;
  if (open_ < set_count_) return;
  if (set_count_ == kMostSets) {
    open_ = 0;
    return;
  }
  ++set_count_;
  sets_[open_] = open;
  others_[open_] = CallSite();
  others_[open_].regions = open_;
}

CallSite* CallSites::find(const char* function, const void* code, int regions) {
  uint32_t place = static_cast<uint32_t>(
      mix(reinterpret_cast<uintptr_t>(function) * 31 +
          reinterpret_cast<uintptr_t>(code) + static_cast<uint64_t>(regions)) %
      kPlaces);
  while (places_[place] != 0) {
    CallSite& site = sites_[places_[place] - 1];
    if (site.code == code && site.function == function &&
        site.regions == regions) {
      return &site;
    }
    place = (place + 1) % kPlaces;
  }
  if (sites_ == nullptr || site_count_ == kMostSites) return &others_[regions];
  CallSite* const site = new (&sites_[site_count_]) CallSite();
  site->function = function;
  site->code = code;
  site->regions = regions;
  places_[place] = static_cast<uint16_t>(++site_count_);
  return site;
}

void CallSites::begin(const char* function, const void* code) {
  current_ = find(function, code, open_);
  call_ = Call();
  mpi_before_ns_ = thread_.mpi_ns();
}

void CallSites::end() {
  if (current_ == nullptr) return;
  CallSite* site = current_;
  current_ = nullptr;
  if (!knows_regions()) [[unlikely]] {
    // What the call has sent and received stays where it was counted.
    site = find(site->function, site->code, 0);
  }
  ++site->calls;
  site->time_ns += thread_.mpi_ns() - mpi_before_ns_;
  site->waiting_ns += call_.waiting_ns;
  site->unknown_ns += call_.unknown_ns;
}

void CallSites::waited_for_latest(CallSite* site, int64_t ns) const {
  if (ns > 0 && call_.latest_rank >= 0) site->late.add(call_.latest_rank, ns);
}

void CallSites::add_waiting(int64_t ns) {
  call_.waiting_ns += ns;
  if (current_ != nullptr) waited_for_latest(current_, ns);
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
    waited_for_latest(polled_, polled_->polled_ns - behind);
    polled_->polled_ns = 0;
    behind_ns -= behind;
    CallSite* const earlier = polled_->earlier_polled;
    polled_->earlier_polled = nullptr;
    polled_ = earlier;
  }
}

void want_call_sites() { g_call_sites_wanted.store(true); }

bool call_sites_wanted() { return g_call_sites_wanted.load(); }

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
