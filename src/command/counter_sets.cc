#include "command/counter_sets.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "command/arguments.h"
#include "document/format.h"
#include "run_file/input.h"

namespace poprt {
namespace {

constexpr char kHelp[] =
    "docs/counters.md says how to add it (--counter-table)";

Processor own_processor() {
  std::string unused;
  return processor_in(read_input("/proc/cpuinfo", &unused).value_or(""));
}

// Where "all-sets" is a word of the list; npos if it is none.
size_t place_of_all_sets(const std::string& counters) {
  for (size_t at = counters.find(kAllSets); at != std::string::npos;
       at = counters.find(kAllSets, at + 1)) {
    const size_t end = at + kAllSets.size();
    const bool begins =
        at == 0 || counters[at - 1] == ',' || counters[at - 1] == ' ';
    const bool ends =
        end == counters.size() || counters[end] == ',' || counters[end] == ' ';
    if (begins && ends) return at;
  }
  return std::string::npos;
}

}  // namespace

std::optional<std::vector<ProcessorFamily>> counter_table(
    const std::string& file) {
  std::vector<ProcessorFamily> table;
  std::string complaint;
  if (!file.empty()) {
    const auto text = read_input(file, &complaint);
    auto own = text ? parse_counter_table(*text, &complaint) : std::nullopt;
    if (!own) {
      complain(text ? fmt::format("--counter-table={}: {}.", printable(file),
                                  complaint)
                    : complaint);
      return std::nullopt;
    }
    table = *std::move(own);
  }
  auto built_in = parse_counter_table(counters_json(), &complaint);
  if (built_in) {
    table.insert(table.end(), std::make_move_iterator(built_in->begin()),
                 std::make_move_iterator(built_in->end()));
  }
  return table;
}

bool asks_for_all_sets(const std::string& counters) {
  return place_of_all_sets(counters) != std::string::npos;
}

std::vector<std::string> values_for_all_sets(
    const std::string& counters, const std::vector<ProcessorFamily>& table) {
  const Processor processor = own_processor();
  const ProcessorFamily* const family = family_of(table, processor);
  std::vector<std::string> sets;
  if (family == nullptr) {
    complain(fmt::format(
        "--counters=all-sets: this processor ({}) is in no table of counters, "
        "so only instructions and cycles are counted; {}.",
        printable(name_of(processor)), kHelp));
  } else {
    sets = sets_for_all(*family);
  }
  if (sets.empty()) sets = {"default"};
  for (std::string& set : sets) {
    std::string value = counters;
    value.replace(place_of_all_sets(value), kAllSets.size(), set);
    set = std::move(value);
  }
  return sets;
}

std::string events_for(const std::string& counters,
                       const std::vector<ProcessorFamily>& table,
                       bool complains) {
  const Processor processor = own_processor();
  std::string unknown;
  const std::string events =
      counters_of(counters, family_of(table, processor), table, &unknown);
  if (!unknown.empty() && complains) {
    complain(fmt::format(
        "--counters: this processor ({}) has no set {} in the table of "
        "counters; {}.",
        printable(name_of(processor)), printable(unknown), kHelp));
  }
  return events;
}

CountersHere counters_here() {
  const Processor processor = own_processor();
  CountersHere here = {printable(name_of(processor)), ""};
  const auto table = counter_table("");
  const ProcessorFamily* const family =
      table ? family_of(*table, processor) : nullptr;
  if (family == nullptr) return here;
  here.processor = family->name;
  here.sets = "default";
  for (const CounterSet& set : family->sets) here.sets += ", " + set.name;
  return here;
}

}  // namespace poprt
