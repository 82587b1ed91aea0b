#include "model/construct_sites.h"

#include "model/members.h"

namespace poprt {

void add(ConstructSiteTotals* a, const ConstructSiteTotals& b) {
  combine_members(kConstructSiteMembers, a, b);
  add(&a->late, b.late);
}

}  // namespace poprt
