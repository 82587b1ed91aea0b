#include "model/construct_sites.h"

#include <tuple>
#include <utility>

#include "model/members.h"
#include "model/site_lists.h"
#include "model/totals.h"

namespace poprt {
namespace {

auto lock_of(const ConstructSiteTotals& site) {
  return std::tie(site.lock, site.lock_module, site.lock_offset);
}

bool has_lock(const ConstructSiteTotals& site) {
  return !site.lock.empty() || !site.lock_module.empty();
}

}  // namespace

void add(ConstructSiteTotals* a, const ConstructSiteTotals& b) {
  combine_members(kConstructSiteMembers, a, b);
  add(&a->late, b.late);
  if (is_rest(*a) || !has_lock(b) || lock_of(*a) == lock_of(b)) return;
  const bool is_first = !has_lock(*a);
  a->lock = is_first ? b.lock : kSeveralLocks;
  a->lock_module = is_first ? b.lock_module : "";
  a->lock_offset = is_first ? b.lock_offset : 0;
}

void complete_rest(const std::vector<RegionTotals>& regions,
                   std::vector<ConstructSiteTotals>* sites) {
  for (const RegionTotals& region : regions) {
    ConstructSiteTotals rest;
    rest.region = region.name;
    rest.time_ns = region.omp_sum_ns;
    for (const ConstructSiteTotals& each : *sites) {
      if (each.region == region.name) rest.time_ns -= each.time_ns;
    }
    if (rest.time_ns > 0) sites->push_back(std::move(rest));
  }
  *sites = merged_sites(std::move(*sites));
}

}  // namespace poprt
