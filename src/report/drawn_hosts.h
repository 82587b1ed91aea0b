// Hosts with their cores, and the ranks and threads that might run there.
#ifndef POPRT_REPORT_DRAWN_HOSTS_H_
#define POPRT_REPORT_DRAWN_HOSTS_H_

#include "document/document.h"
#include "model/totals.h"

namespace poprt {

// The first hosts of which it is known what they consist of: a line for each
// part, with the ranks in JobTotals::places.
FactList drawn_hosts(const JobTotals& job);

}  // namespace poprt

#endif  // POPRT_REPORT_DRAWN_HOSTS_H_
