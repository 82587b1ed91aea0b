// Options that several subcommands have, with the same text and meaning.
#ifndef POPRT_COMMAND_COMMON_OPTIONS_H_
#define POPRT_COMMAND_COMMON_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "document/format.h"

namespace poprt {

// --model.
void add_models(CLI::App* command, std::vector<std::string>* models,
                const char* help =
                    "pop, critical_path (default; talp of imported runs), "
                    "multiplicative, additive, talp, computation (counters), "
                    "io, mpi_time, waiting or all; several with commas");
// --region.
void add_regions(CLI::App* command, std::vector<std::string>* regions,
                 const char* help =
                     "Regions to show, by name or pattern (solve*, '*'); "
                     "several with commas; default: Global");
// --thresholds; `thresholds` gets the usual ones.
void add_thresholds(CLI::App* command, std::vector<double>* thresholds);
// nullopt, with a complaint, if the numbers make no sense.
std::optional<Thresholds> thresholds_of(const std::vector<double>& given);
// --color.
void add_color(CLI::App* command, std::string* color);
// --scaling.
void add_scaling(CLI::App* command, std::string* scaling, const char* help);
// --any-program.
void add_any_program(CLI::App* command, bool* any_program);

}  // namespace poprt

#endif  // POPRT_COMMAND_COMMON_OPTIONS_H_
