#include "model/construct_sites.h"

#include <tuple>

#include "model/members.h"

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

}  // namespace poprt
