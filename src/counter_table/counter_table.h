// Which events of which processor are which counters: the table of
// share/counters.json, and files of the same form that users write.  What the
// names of counters mean is in model/vectorisation.h.
#ifndef POPRT_COUNTER_TABLE_COUNTER_TABLE_H_
#define POPRT_COUNTER_TABLE_COUNTER_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace poprt {

// Who made a processor and what it is, as Linux tells it.  -1: not told.
struct Processor {
  std::string vendor;   // "GenuineIntel"; on ARM the implementer, "0x41"
  int64_t family = -1;  // x86 only
  int64_t model = -1;   // on ARM the part
};

// Of the first processor in the text of /proc/cpuinfo.
Processor processor_in(std::string_view cpuinfo);
// "AuthenticAMD family 25 model 1".
std::string name_of(const Processor& processor);

// Counters that fit into a processor together, besides instructions and cycles.
struct CounterSet {
  std::string name;
  // The counter's name in reports, and the event of PAPI.
  std::vector<std::pair<std::string, std::string>> counters;
};

struct ProcessorFamily {
  std::string name;
  std::string vendor;           // empty: any
  int64_t family = -1;          // -1: any
  std::vector<int64_t> models;  // empty: any
  int64_t counters = 0;         // that fit besides instructions and cycles
  // Events for these, where PAPI's presets do not exist.
  std::string instructions;
  std::string cycles;
  std::vector<CounterSet> sets;
};

// Reads a table. nullopt if it is wrong: `complaint` says where and what.
std::optional<std::vector<ProcessorFamily>> parse_counter_table(
    std::string_view text, std::string* complaint);

// The first family that the processor belongs to; nullptr if there is none.
const ProcessorFamily* family_of(const std::vector<ProcessorFamily>& table,
                                 const Processor& processor);

// The sets that count all that the sets of the family can count, each adding
// something.
std::vector<std::string> sets_for_all(const ProcessorFamily& family);

// The value of POPRT_COUNTERS in which the names of sets, and "default", are
// replaced by words "NAME=EVENT" for this family (nullptr: not known).
// `unknown` is the first word that is a set of other families only; it is left
// out.
std::string counters_of(std::string_view value, const ProcessorFamily* family,
                        const std::vector<ProcessorFamily>& table,
                        std::string* unknown);

}  // namespace poprt

#endif  // POPRT_COUNTER_TABLE_COUNTER_TABLE_H_
