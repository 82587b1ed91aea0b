// What the tables of MPI calls and of OpenMP constructs have in common.
#ifndef POPRT_REPORT_SITE_TABLES_H_
#define POPRT_REPORT_SITE_TABLES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.h"
#include "model/calls.h"

namespace poprt {

// "3 98 %", where it is a bound "3 > 90 %": the share of the waiting that was
// for this rank or thread.
std::string share_of(int64_t waiting_ns, const LateRank& late);

// Those that were waited for longest, first.
std::vector<LateRank> latest_of(const LateRanks& late);

// Whether waiting is worth a word.
bool waits(int64_t waiting_ns, int64_t time_ns);

// "MPI calls by time", of a region other than Global with its name.
std::string title_of_sites(const char* what, const std::string& region);

TableCell site_cell(CellUnit unit, int64_t value);
TableCell site_share(int64_t part, int64_t whole);

// The ranks or threads for which it was waited, with their shares: the first
// one, or several.  "-" if it was not worth a word.
TableCell latest_cell(const LateRanks& late, int64_t waiting_ns,
                      int64_t time_ns);
TableCell late_cell(const LateRanks& late, int64_t waiting_ns, int64_t time_ns);

// The rows of a region; `label_of` and `cells_of` tell what is in them.
template <class Report, class LabelOf, class CellsOf>
void add_site_rows(const std::vector<Report>& sites, const std::string& region,
                   size_t most, LabelOf label_of, CellsOf cells_of,
                   Table* table) {
  size_t rows = 0;
  for (const Report& each : sites) {
    if (each.totals.region != region) continue;
    if (++rows > most) continue;
    table->rows.push_back({label_of(each), cells_of(each.totals)});
  }
  if (rows > most) {
    table->more =
        "and " + std::to_string(rows - most) + " more in the run file";
  }
}

}  // namespace poprt

#endif  // POPRT_REPORT_SITE_TABLES_H_
