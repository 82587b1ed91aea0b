// What the longest path of a run is made of, for people.
#ifndef POPRT_REPORT_LONGEST_PATH_H_
#define POPRT_REPORT_LONGEST_PATH_H_

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"

namespace poprt {

inline constexpr size_t kRankedPathParts = 8;

// The parts of the path by region, at most `most` of them and the rest, and by
// rank.  Without rows if the run did not follow it.
Table path_table(const JobReport& report, size_t most);
Table path_rank_table(const JobReport& report, size_t most);

// What the run waited for most; empty if it is not known.
std::string path_sentence(const JobReport& report);

// Its share of the path; NaN if it is not known.
double heaviest_path_share(const JobReport& report);

// How long the run would take without each region that was to be left out, or
// that it never came up.
std::vector<std::string> without_sentences(const JobReport& report);

}  // namespace poprt

#endif  // POPRT_REPORT_LONGEST_PATH_H_
