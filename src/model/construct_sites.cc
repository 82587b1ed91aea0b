#include "model/construct_sites.h"

#include "model/members.h"

namespace poprt {

void add(ConstructSiteTotals* a, const ConstructSiteTotals& b) {
  combine_members(kConstructSiteMembers, a, b);
  add(&a->late, b.late);
  if (is_rest(*a) || b.lock.empty()) return;
  if (a->lock.empty()) a->lock = b.lock;
  if (a->lock != b.lock) a->lock = "(several)";
}

}  // namespace poprt
