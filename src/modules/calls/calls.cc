#include "modules/calls/calls.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/bounded.h"
#include "code_places/code_address.h"
#include "measure/call_sites.h"
#include "measure/process.h"
#include "model/calls.h"
#include "model/quantities.h"
#include "model/site_lists.h"
#include "model/totals.h"

namespace poprt::modules::calls {
namespace {

// What is known of the process while its tables are read.
struct Reading {
  explicit Reading(const std::vector<Thread*>& all) : threads(all) {}

  const std::vector<Thread*>& threads;
  std::map<int, std::string> names;  // of regions, by slot
  std::map<const void*, CodeAddress> addresses;
  std::vector<CallTotals> calls;
  std::vector<std::string>* notes = nullptr;
};

CallTotals totals_of(const CallSite& site, Reading* reading) {
  CallTotals totals;
  if (site.name != nullptr) {
    totals.function = site.name;
    auto known = reading->addresses.find(site.code);
    if (known == reading->addresses.end()) {
      known =
          reading->addresses.emplace(site.code, code_address(site.code)).first;
    }
    // The addresses of code in no file differ between processes.
    totals.module = known->second.module;
    totals.offset = totals.module.empty() ? 0 : known->second.offset;
  }
  totals.calls = site.calls;
  totals.collectives = site.collectives;
  totals.time_ns = site.time_ns;
  totals.unknown_ns = bounded<int64_t>(site.unknown_ns, 0, site.time_ns);
  totals.waiting_ns =
      bounded<int64_t>(site.waiting_ns, 0, site.time_ns - totals.unknown_ns);
  totals.sent_bytes = site.sent_bytes;
  totals.received_bytes = site.received_bytes;
  totals.comm_size = site.comm_size;
  for (int i = 0; i < CallSite::kSizeClasses; ++i) {
    const auto messages = static_cast<int64_t>(site.sizes[i]);
    if (messages > 0) totals.sizes.push_back({int64_t{1} << i, messages});
  }
  totals.late = site.late.totals();
  complete(&totals.late, totals.waiting_ns);
  return totals;
}

void read(CallSites& sites, void* data) {
  Reading* const reading = static_cast<Reading*>(data);
  // Other threads have no part in the regions.
  if (std::ranges::find(reading->threads, &sites.thread()) ==
          reading->threads.end() ||
      !sites.thread().member()) {
    return;
  }
  sites.sets().note_if_full(reading->notes);
  sites.for_each([&](const CallSite& site) {
    CallTotals totals = totals_of(site, reading);
    for (const auto& [slot, name] : reading->names) {
      if (!sites.sets()[site.regions][static_cast<size_t>(slot)]) continue;
      totals.region = name;
      reading->calls.push_back(totals);
    }
  });
}

// Time in MPI that is in no entry: of calls during which a region was opened or
// closed, or that are under way.
void add_rest(const RegionTotals& region, std::vector<CallTotals>* calls) {
  CallTotals rest;
  rest.region = region.name;
  rest.time_ns = region.mpi_sum_ns;
  rest.waiting_ns = amount(region, kMpiWaiting);
  rest.unknown_ns = amount(region, kMpiUnknown);
  for (const CallTotals& each : *calls) {
    if (each.region != region.name) continue;
    rest.time_ns -= each.time_ns;
    rest.waiting_ns -= each.waiting_ns;
    rest.unknown_ns -= each.unknown_ns;
  }
  if (rest.time_ns <= 0) return;
  rest.unknown_ns = bounded<int64_t>(rest.unknown_ns, 0, rest.time_ns);
  rest.waiting_ns =
      bounded<int64_t>(rest.waiting_ns, 0, rest.time_ns - rest.unknown_ns);
  calls->push_back(std::move(rest));
}

class Calls final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>& threads, int64_t,
              JobTotals* job) const override {
    if (threads.empty()) return;
    Reading reading(threads);
    reading.notes = &job->quality.notes;
    Process& process = threads.front()->process();
    for (const RegionTotals& region : job->regions) {
      const int slot = process.find_slot(region.key);
      if (slot >= 0) reading.names[slot] = region.name;
    }
    for_each_call_sites(read, &reading);
    std::vector<CallTotals> calls = std::move(reading.calls);
    for (const RegionTotals& region : job->regions) add_rest(region, &calls);
    job->calls = merged_sites(std::move(calls));
    keep_heaviest(kMostSitesOfProcess, &job->calls);
  }
  void restart(const std::vector<Thread*>&) const override {
    for_each_call_sites([](CallSites& sites, void*) { sites.forget(); },
                        nullptr);
  }
};

}  // namespace

void start(const Options& options, Started* started) {
  if (options.path.constructs) want_construct_sites();
  if (!options.calls) return;
  want_call_sites();
  started->parts.push_back(new Calls);  // lives as long as the process
}

}  // namespace poprt::modules::calls
