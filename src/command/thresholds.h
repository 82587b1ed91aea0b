// Parses thresholds from the command line.
#ifndef POPRT_COMMAND_THRESHOLDS_H_
#define POPRT_COMMAND_THRESHOLDS_H_

#include <optional>
#include <string>

#include "compare/checks.h"

namespace poprt {

// The text of --min or --max, for example "Global/parallel_efficiency=0.8",
// "load_balance=80%", "solve/talp.mpi_load_balance=0.9", "ipc=1.5",
// "frequency=2.5GHz".  Without a region it is Global.  The metric is named as
// in `poprt explain`; `usual` is the model if none is given.  nullopt, with one
// line in `complaint`, if it is no threshold.
std::optional<Threshold> parse_threshold(const std::string& text, Bound bound,
                                         Model usual, std::string* complaint);

// "0.05" or "5%" as a fraction from 0 to 1; nullopt for anything else.
std::optional<double> parse_fraction(const std::string& text);

// A value of this unit from 0, as users write it; nullopt for anything else.
// Fractions as above, counts with a prefix of the SI ("3.2G"), bytes and
// bandwidths also with their unit ("3GB", "2MB/s"), frequencies in GHz or with
// their unit ("2.5", "2500MHz").
std::optional<double> parse_value(const std::string& text, MetricUnit unit);

}  // namespace poprt

#endif  // POPRT_COMMAND_THRESHOLDS_H_
