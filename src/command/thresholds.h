// Thresholds as they are written on the command line.
#ifndef POPRT_COMMAND_THRESHOLDS_H_
#define POPRT_COMMAND_THRESHOLDS_H_

#include <optional>
#include <string>

#include "compare/checks.h"

namespace poprt {

// "Global/parallel_efficiency=0.8", "load_balance=80%",
// "solve/talp.mpi_load_balance=0.9": without a region, of Global; the metric
// as `poprt explain` takes it, `usual` being the model where none is given.
// nullopt and in `complaint` one line where it is none.
std::optional<Threshold> parse_threshold(const std::string& text, Model usual,
                                         std::string* complaint);

// "0.05" or "5%" as a fraction of 0 to 1; nullopt for anything else.
std::optional<double> parse_fraction(const std::string& text);

}  // namespace poprt

#endif  // POPRT_COMMAND_THRESHOLDS_H_
