#include "openmp/construct_site_totals.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "code_places/code_address.h"
#include "code_places/data_symbols.h"
#include "measure/process.h"
#include "model/site_lists.h"
#include "openmp/construct_sites.h"
#include "openmp/lock_names.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

class SiteReading {
 public:
  SiteReading(Process& process, const std::vector<RegionTotals>& regions)
      : finds_names_(process.rank() <= 0) {
    for (const RegionTotals& region : regions) {
      names_[process.slot_of_key(region.key, 0)] = region.name;
    }
  }

  void add(const ConstructSite& site, const RegionSets& sets) {
    if (site.visits == 0 && site.time_ns == 0) return;
    const ConstructSiteTotals totals = totals_of(site);
    for (const auto& [slot, name] : names_) {
      if (!sets[site.regions][static_cast<size_t>(slot)]) continue;
      sites_.push_back(totals);
      sites_.back().region = name;
    }
  }

  std::vector<ConstructSiteTotals> take() { return std::move(sites_); }

 private:
  ConstructSiteTotals totals_of(const ConstructSite& site) {
    ConstructSiteTotals totals;
    if (site.name != nullptr) {
      totals.construct = site.name;
      const auto [known, is_new] = addresses_.try_emplace(site.code);
      if (is_new) known->second = code_address(site.code);
      // The addresses of code in no file differ between processes.
      totals.module = known->second.module;
      totals.offset = totals.module.empty() ? 0 : known->second.offset;
    }
    if (finds_names_ && site.highest_lock != 0) totals.lock = lock_name(site);
    totals.visits = site.visits;
    totals.iterations = site.iterations;
    totals.time_ns = site.time_ns;
    totals.waiting_ns = std::clamp<int64_t>(site.waiting_ns, 0, site.time_ns);
    totals.late = site.late.totals();
    return totals;
  }

  std::string lock_name(const ConstructSite& site) {
    add_symbols_of({});  // where the program's own variables may be
    add_symbols_of(addresses_[site.code].module);
    if (site.name == name_of(SiteKind::kCritical)) {
      return locks_.critical(site.highest_lock);
    }
    const bool is_lock = site.name == name_of(SiteKind::kLock) ||
                         site.name == name_of(SiteKind::kNestLock);
    if (!is_lock) return {};
    return locks_.variable(site.lowest_lock, site.highest_lock);
  }

  // Of a file, or of the program itself, which is the first one loaded.
  void add_symbols_of(const std::string& module) {
    if (modules_.empty()) modules_ = loaded_modules();
    for (LoadedModule& each : modules_) {
      const bool wanted =
          module.empty() ? &each == &modules_.front() : each.path == module;
      if (wanted && !each.path.empty()) {
        locks_.add(data_symbols(each));
        each.path.clear();  // only once
      }
    }
  }

  // One process knows the names for all: they belong to places.
  const bool finds_names_;
  LockNames locks_;
  std::vector<LoadedModule> modules_;
  std::map<int, std::string> names_;  // of regions, by slot
  std::map<const void*, CodeAddress> addresses_;
  std::vector<ConstructSiteTotals> sites_;
};

// OpenMP time that is in no entry: of threads in no construct, of constructs in
// which a region was opened or closed.
void add_site_rest(const RegionTotals& region,
                   std::vector<ConstructSiteTotals>* sites) {
  ConstructSiteTotals rest;
  rest.region = region.name;
  rest.time_ns = region.omp_sum_ns;
  for (const ConstructSiteTotals& each : *sites) {
    if (each.region == region.name) rest.time_ns -= each.time_ns;
  }
  if (rest.time_ns > 0) sites->push_back(std::move(rest));
}

}  // namespace

std::vector<ConstructSiteTotals> construct_site_totals(
    const std::vector<Thread*>& threads, int64_t now_ns,
    const std::vector<RegionTotals>& regions) {
  if (threads.empty() || !call_sites_wanted()) return {};
  SiteReading reading(threads.front()->process(), regions);
  for (const Thread* thread : threads) {
    const OmpThread* const omp = omp_thread(*thread);
    if (!thread->member() || omp == nullptr || omp->sites == nullptr) continue;
    const RegionSets& sets = omp->sites->table().sets;
    omp->sites->table().for_each(
        [&](const ConstructSite& site) { reading.add(site, sets); });
    reading.add(omp->sites->pending(now_ns), sets);
  }
  std::vector<ConstructSiteTotals> sites = reading.take();
  for (const RegionTotals& region : regions) add_site_rest(region, &sites);
  sites = merged_sites(std::move(sites));
  keep_heaviest(kMostSitesOfProcess, &sites);
  return sites;
}

std::vector<std::string> construct_modules(
    const std::vector<Thread*>& threads) {
  std::set<const void*> codes;
  for (const Thread* thread : threads) {
    const OmpThread* const omp = omp_thread(*thread);
    if (omp == nullptr || omp->sites == nullptr) continue;
    omp->sites->table().for_each(
        [&](const ConstructSite& site) { codes.insert(site.code); });
  }
  std::set<std::string> modules;
  for (const void* code : codes) modules.insert(code_address(code).module);
  modules.erase(std::string());
  return {modules.begin(), modules.end()};
}

}  // namespace poprt
