// The library against the oracle, on random programs.
//
// POPRT_ORACLE_SEED=n runs that seed alone and prints its history;
// POPRT_ORACLE_SEEDS=n is the number of seeds.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "measure/windows.h"
#include "oracle/compare.h"
#include "oracle/random_program.h"
#include "oracle/replay.h"
#include "share_of_cases.h"

namespace poprt::oracle {
namespace {

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// `run` returns what is wrong with a program of these options.
template <class Run>
void for_each_seed(uint64_t first, uint64_t count, Run run) {
  const uint64_t only = number_from("POPRT_ORACLE_SEED", 0);
  if (only > 0) {
    first = only;
    count = 1;
  } else {
    count = number_from("POPRT_ORACLE_SEEDS", count / kShare);
  }
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string wrong = run(random_options(seed), only > 0);
    ASSERT_EQ("", wrong) << "POPRT_ORACLE_SEED=" << seed;
  }
}

std::string compare(const History& history, const Strictness& strictness,
                    bool print) {
  if (print) std::fputs(to_text(history).c_str(), stderr);
  // Windows change nothing else.  (Those in time also begin between a fork and
  // its team, where the shares of regions are not known.)
  WindowSpec windows;
  if (history.messages % 3 != 0) windows = {region_name(1), 1, 0};
  // Beside COOW and COMP there is room for a third of the regions in messages.
  PathChoice path;
  path.waiting = 3 * (history.regions + kLiveWindows) <= kTravellingRegions;
  if (!path.waiting) windows = {};
  if (history.regions > 1 && history.messages % 2 == 0) {
    path.regions = true;
    path.constructs = history.messages % 4 == 0;
    path.without = {region_name(1)};
  }
  Replay replay(history, path, windows);
  replay.run();
  return differences(history, replay, strictness) +
         broken_rules(replay.totals());
}

TEST(RandomPrograms, AreMeasuredAsTheOracleSays) {
  for_each_seed(1, 10000, [](ProgramOptions options, bool print) {
    const RandomProgram program = run_random_program(options);
    return compare(program.history, {options.unit_ns > 1, true}, print);
  });
}

TEST(RandomPrograms, AreMeasuredExactlyInTheirMidst) {
  for_each_seed(1'000'000, 3000, [](ProgramOptions options, bool print) {
    const RandomProgram program = run_random_program(options);
    const size_t count = program.history.actions.size();
    const History part = truncated(program.history, options.seed * 37 % count,
                                   program.origin_ns);
    return compare(part, {options.unit_ns > 1, true}, print);
  });
}

TEST(RandomPrograms, ALateClockAcrossARegionsEdgeInventsNoPath) {
  for_each_seed(2'000'000, 3000, [](ProgramOptions options, bool print) {
    options.late_across_regions = true;
    const RandomProgram program = run_random_program(options);
    return compare(program.history, {options.unit_ns > 1, false}, print);
  });
}

}  // namespace
}  // namespace poprt::oracle
