#include "report/reasons.h"

namespace poprt {
namespace {

template <Missing kWhy>
bool is(const Absent& value) {
  return value.why == kWhy;
}

// When each is true: missing_in().
constexpr Sentence<Absent> kReasons[] = {
    {"no_clocks", is<Missing::kNoClocks>,
     fixed<"the region's clocks are incomplete: they did not travel with all "
           "messages">},
    {"unmeasured", is<Missing::kUnmeasured>,
     fixed<"no clocks: some processes of the job ran without poprt's library">},
    {"no_layer", is<Missing::kLayer>,
     [](const Absent& value) -> std::string {
       return entry_of(event_layer(value.layer)).without;
     }},
    {"unknown_layer", is<Missing::kUnknownLayer>,
     fixed<"not known: the version of poprt that wrote the run file did not "
           "have it">},
    {"unseen_openmp", is<Missing::kUnseenOpenMp>,
     fixed<"not measured: the program's OpenMP runtime tells poprt nothing, "
           "and a note says what helps">},
    {"openmp_ended", is<Missing::kOpenMpEnded>,
     fixed<"not known: the program has ended the OpenMP runtime "
           "(omp_pause_resource_all), which told nothing from then on">},
    {"unequal_ends", is<Missing::kUnequalEnds>,
     fixed<"not known: the run did not come to its end, and its ranks were "
           "measured for different times, which the model does not have">},
    {"other_teams", is<Missing::kOtherTeams>,
     fixed<"threads were at work in parallel regions of others than the "
           "primary thread, which the model does not have">},
    {"accelerator", is<Missing::kAccelerator>,
     fixed<"not known: between its two clocks are also the calls to "
           "accelerators, and how much of the path they are is not measured">},
    {"imported", is<Missing::kImported>,
     fixed<"the file that this run was imported from tells the model talp "
           "only">},
    {"not_kept", is<Missing::kCoow>,
     fixed<"not kept: POPRT_PATH=waiting (poprt run --path waiting) keeps the "
           "longest path without waiting in MPI">},
    {"not_told", is<Missing::kNotTold>,
     fixed<"not known: the run file does not tell it">},
    {"no_posix_io", is<Missing::kIoNotMeasured>,
     fixed<"not measured: POPRT_IO=posix (poprt run --io posix) measures POSIX "
           "I/O">},
    {"not_counted", is<Missing::kNotCounted>,
     fixed<"not counted: POPRT_COUNTERS=default counts instructions and "
           "cycles, and a note says what PAPI refuses">},
    {"no_floats", is<Missing::kFloatsNotCounted>,
     fixed<"not counted, or no such instruction: poprt run "
           "--counters=all-sets counts what this processor can tell of "
           "floating-point instructions">},
    {"no_device", is<Missing::kNoDevice>,
     fixed<"no device has told of its operations: none was used, or only the "
           "calls to it are measured">},
    // Also of a clock that is known, and is 0.
    {"no_such_time", always, fixed<"0/0: no such time in the region">},
};

}  // namespace

std::span<const Sentence<Absent>> reasons() { return kReasons; }

std::string undefined_reason(const RegionReport& region, const Metric& metric) {
  return first_said(reasons(),
                    Absent{region.missing.metrics[metric.place], metric.layer});
}

std::string unknown_run_time(const RegionReport& region) {
  return first_said(reasons(), Absent{region.missing.run_time});
}

std::string outside_reason(const Metric& metric, double value) {
  const Range range = range_of(metric, value);
  return range == Range::kInside ? "" : reason_of(range);
}

}  // namespace poprt
