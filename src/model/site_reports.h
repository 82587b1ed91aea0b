// The MPI calls and the OpenMP constructs of a report (docs/calls.md), see
// site_reports().
#ifndef POPRT_MODEL_SITE_REPORTS_H_
#define POPRT_MODEL_SITE_REPORTS_H_

#include <string>

#include "model/calls.h"
#include "model/construct_sites.h"

namespace poprt {

struct CallReport {
  CallTotals totals;
  // "solver.c:123 (solve)"; empty if its code is in no file
  std::string location;
};

struct ConstructSiteReport {
  ConstructSiteTotals totals;
  std::string location;
};

}  // namespace poprt

#endif  // POPRT_MODEL_SITE_REPORTS_H_
