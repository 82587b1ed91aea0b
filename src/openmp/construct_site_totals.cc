#include "openmp/construct_site_totals.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/bounded.h"
#include "code_places/code_address.h"
#include "measure/process.h"
#include "model/site_lists.h"
#include "openmp/construct_sites.h"
#include "openmp/lock_names.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

class SiteReading {
 public:
  SiteReading(Process& process, const std::vector<RegionTotals>& regions) {
    for (const RegionTotals& region : regions) {
      const int slot = process.find_slot(region.key);
      if (slot >= 0) names_[slot] = region.name;
    }
  }

  void add(const ConstructSite& site, const RegionSets& sets) {
    if (site.visits == 0 && site.time_ns == 0) return;
    const ConstructSiteTotals totals = totals_of(site);
    for (const auto& [slot, name] : names_) {
      if (!sets[site.regions][static_cast<size_t>(slot)]) continue;
      read_.push_back({totals, site});
      read_.back().totals.region = name;
    }
  }

  std::vector<ConstructSiteTotals> take() {
    want_lock_names();
    locks_.read();
    std::vector<ConstructSiteTotals> sites;
    for (Read& read : read_) {
      name_lock(read.site, &read.totals);
      sites.push_back(std::move(read.totals));
    }
    return sites;
  }

 private:
  struct Read {
    ConstructSiteTotals totals;
    ConstructSite site;
  };

  ConstructSiteTotals totals_of(const ConstructSite& site) {
    ConstructSiteTotals totals;
    if (site.name != nullptr) {
      totals.construct = site.name;
      const CodeAddress& code = address_of(site.code);
      // The addresses of code in no file differ between processes.
      totals.module = code.module;
      totals.offset = code.module.empty() ? 0 : code.offset;
    }
    totals.visits = site.visits;
    totals.iterations = site.iterations;
    totals.time_ns = site.time_ns;
    totals.waiting_ns = bounded<int64_t>(site.waiting_ns, 0, site.time_ns);
    totals.late = site.late.totals();
    limit(&totals.late, totals.waiting_ns);
    return totals;
  }

  const CodeAddress& address_of(const void* code) {
    const auto [known, is_new] = addresses_.try_emplace(code);
    if (is_new) known->second = code_address(code);
    return known->second;
  }

  static bool is_critical(const ConstructSite& site) {
    return site.highest_lock != 0 && site.name == name_of(SiteKind::kCritical);
  }
  static bool is_lock(const ConstructSite& site) {
    return site.highest_lock != 0 &&
           (site.name == name_of(SiteKind::kLock) ||
            site.name == name_of(SiteKind::kNestLock));
  }

  void want_lock_names() {
    for (const Read& read : read_) {
      if (is_critical(read.site)) locks_.want_criticals(read.totals.module);
      if (is_lock(read.site)) locks_.want_variable(read.site.lowest_lock);
    }
  }

  // A variable of a file has a name; of others it is told where they were
  // initialised.
  void name_lock(const ConstructSite& site, ConstructSiteTotals* totals) {
    if (is_critical(site)) totals->lock = locks_.critical(site.highest_lock);
    if (!is_lock(site)) return;
    totals->lock = locks_.variable(site.lowest_lock, site.highest_lock);
    if (!totals->lock.empty()) return;
    if (site.made_at != nullptr && site.made_at != several_places()) {
      const CodeAddress& made = address_of(site.made_at);
      totals->lock_module = made.module;
      totals->lock_offset = made.module.empty() ? 0 : made.offset;
    } else if (site.lowest_lock != site.highest_lock) {
      totals->lock = kSeveralLocks;
    }
  }

  LockNames locks_;
  std::map<int, std::string> names_;  // of regions, by slot
  std::map<const void*, CodeAddress> addresses_;
  std::vector<Read> read_;
};

// Null: none was told of.
const ConstructSites* sites_of(const OmpThread* omp) {
  return omp == nullptr ? nullptr : omp->sites.load(std::memory_order_acquire);
}

}  // namespace

std::vector<ConstructSiteTotals> construct_site_totals(
    const std::vector<Thread*>& threads, int64_t now_ns,
    const std::vector<RegionTotals>& regions, std::vector<std::string>* notes) {
  if (threads.empty() || !call_sites_wanted()) return {};
  SiteReading reading(threads.front()->process(), regions);
  for (const Thread* thread : threads) {
    const ConstructSites* const its = sites_of(omp_thread(*thread));
    if (!thread->member() || its == nullptr) continue;
    const RegionSets& sets = its->table().sets;
    sets.note_if_full(notes);
    its->table().for_each(
        [&](const ConstructSite& site) { reading.add(site, sets); });
    reading.add(its->pending(now_ns), sets);
  }
  std::vector<ConstructSiteTotals> sites = reading.take();
  complete_rest(regions, &sites);
  keep_heaviest(kMostSitesOfProcess, &sites);
  return sites;
}

std::vector<std::string> construct_modules(
    const std::vector<Thread*>& threads) {
  std::set<const void*> codes;
  for (const Thread* thread : threads) {
    const ConstructSites* const its = sites_of(omp_thread(*thread));
    if (!thread->member() || its == nullptr) continue;
    its->table().for_each(
        [&](const ConstructSite& site) { codes.insert(site.code); });
  }
  std::set<std::string> modules;
  for (const void* code : codes) modules.insert(code_address(code).module);
  modules.erase(std::string());
  return {modules.begin(), modules.end()};
}

}  // namespace poprt
