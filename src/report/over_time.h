// How the metrics change over the windows of a run (POPRT_WINDOWS).
#ifndef POPRT_REPORT_OVER_TIME_H_
#define POPRT_REPORT_OVER_TIME_H_

#include <cstdint>
#include <string>
#include <vector>

#include "document/document.h"
#include "model/job.h"
#include "model/metric_table.h"
#include "report/table_options.h"

namespace poprt {

// Where a row changes by this much, and stays there for two windows, another
// phase begins.
inline constexpr double kPhaseChange = 0.10;

// Of the values of one row over time: where phases begin, but the first one, as
// places in `values`.  A phase ends before two values in a row that both differ
// from its mean, in the same direction, by kPhaseChange or more.  NaNs belong
// to the phase that they are in.
std::vector<size_t> phase_begins(const std::vector<double>& values);

// A digit for each value: tenths, 9 for all from 0.9 on, "-" for NaN. If there
// are more than `most`, a digit is the lowest of several neighbours.
std::string sparkline(const std::vector<double>& values, size_t most);

// What windows are: "visits of timestep", "2 visits of timestep", "1 s".
std::string window_words(const WindowSpec& spec, int64_t level);

// What is said instead of a table where the whole run is one window.
std::string one_window(const JobReport& report);

// The efficiencies of a model over time: first, worst and last window, and
// where phases begin. Without rows if the run has no windows.
Table over_time_table(const JobReport& report, Model model,
                      const TableOptions& options);

// Of a single window that was measured in parts: between which values the rows
// of the model's table are that are estimates. Without rows if there are none.
Table window_range_table(const JobReport& report, Model model,
                         const TableOptions& options);

}  // namespace poprt

#endif  // POPRT_REPORT_OVER_TIME_H_
