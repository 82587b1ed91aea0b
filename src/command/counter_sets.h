// The sets of counters that `poprt run --counters` knows by name: poprt's own
// table (share/counters.json) and the user's.
#ifndef POPRT_COMMAND_COUNTER_SETS_H_
#define POPRT_COMMAND_COUNTER_SETS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counter_table/counter_table.h"

namespace poprt {

// poprt's own table: share/counters.json.
std::string_view counters_json();

// The families of the user's file (empty: none), then poprt's own. nullopt,
// with a complaint, if the file is wrong.
std::optional<std::vector<ProcessorFamily>> counter_table(
    const std::string& file);

// A word of --counters: the program is run once with each set.
inline constexpr std::string_view kAllSets = "all-sets";
bool asks_for_all_sets(const std::string& counters);

// For each run that counts all there is on this node: the value of --counters
// in which a set is in the place of "all-sets".  Complains where the processor
// is in no table: then there is one run, with "default".
std::vector<std::string> values_for_all_sets(
    const std::string& counters, const std::vector<ProcessorFamily>& table);

// The value for the library: names of sets replaced by the events of this
// node's processor.  Says, if `complains`, which set this processor does not
// have.
std::string events_for(const std::string& counters,
                       const std::vector<ProcessorFamily>& table,
                       bool complains);

// This node's processor, and the names of the sets that poprt's own table has
// for it: "default, fp"; empty if it has none.
struct CountersHere {
  std::string processor;
  std::string sets;
};
CountersHere counters_here();

}  // namespace poprt

#endif  // POPRT_COMMAND_COUNTER_SETS_H_
