// Each reason for a missing value is given where it is true, and not where it
// is not.
#include "report/reasons.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/quantities.h"
#include "unit/finding_jobs.h"
#include "unit/sample_reports.h"
#include "unit/sentence_pairs.h"

namespace poprt {
namespace {

using test::Pair;

// The reason with this key, if a row of the report has it.
std::string said(const JobReport& report, const std::string& key) {
  const auto words = [&](const Absent& value) -> std::string {
    for (const Sentence<Absent>& each : reasons()) {
      if (each.is_true(value)) return each.key == key ? each.words(value) : "";
    }
    return "";
  };
  for (const RegionReport& region : report.regions) {
    for (const Metric& metric : all_metrics()) {
      if (!std::isnan(metric.value(region.metrics))) continue;
      const std::string reason =
          words({region.missing.metrics[metric.place], metric.layer});
      if (reason.empty()) continue;
      EXPECT_EQ(reason, undefined_reason(region, metric));
      return reason;
    }
  }
  return "";
}

// A job of two ranks of which everything is known that there can be.
template <class Change>
JobReport changed(const Change& change) {
  JobTotals totals;
  RunContext context;
  for (const int64_t useful : {50, 60}) {
    test::ProcessTimes each;
    each.elapsed = 100;
    each.parallel = 40;
    each.threads = {{useful - 20, 20, 10, 0, 5}, {0, 30, 0, 0, 0}};
    totals = combine(
        std::move(totals),
        test::job_of(each, {test::region_of("Global", each,
                                            {70, 75, 85, 90, 100, 80})}));
  }
  totals.has_mpi = totals.has_openmp = totals.has_posix_io = true;
  totals.has_devices = true;
  RegionTotals& global = totals.regions.front();
  for (const char* const counter :
       {"PAPI_TOT_INS", "PAPI_TOT_CYC", "useful_ns", "fp_scalar_single",
        "fp_packed_128_single", "fp_packed_256_single", "fp_packed_512_single",
        "fp_scalar_double", "fp_packed_128_double", "fp_packed_256_double",
        "fp_packed_512_double"}) {
    set_amount(counter_amount(counter), 10, &global.amounts);
  }
  set_amount(kPosixIo.name, 5, &global.amounts);
  DeviceTime time;
  time.kernels_ns = 60;
  time.copies_ns = 40;
  totals.devices.emplace_back().regions = {device_region("Global", time)};
  change(&totals, &context);
  return make_report(std::move(context), std::move(totals));
}

JobReport of_gcc(const char* runtime) {
  return changed([&](JobTotals* totals, RunContext* context) {
    totals->has_openmp = false;
    totals->has_unseen_openmp = true;
    context->openmp_runtime = runtime;
  });
}

JobReport without_openmp(bool is_known) {
  return changed([&](JobTotals* totals, RunContext*) {
    totals->has_openmp = false;
    if (is_known) return;
    totals->unknown_states.set(static_cast<size_t>(State::kOmp));
  });
}

JobReport without(std::string_view counter) {
  return changed([&](JobTotals* totals, RunContext*) {
    std::erase_if(totals->regions.front().amounts, [&](const Amount& each) {
      return each.name.find(counter) != each.name.npos;
    });
  });
}

std::vector<Pair> pairs() {
  const JobReport all = changed([](JobTotals*, RunContext*) {});
  return {
      {"no_clocks", test::hybrid_report(),
       "the region's clocks are incomplete: they", all},
      {"unmeasured", changed([](JobTotals* totals, RunContext*) {
         totals->unmeasured_processes = 1;
       }),
       "no clocks: some processes of the job ran without", all},
      {"no_layer", without_openmp(true), "ran without OpenMP", all},
      {"unknown_layer", without_openmp(false),
       "not known: the version of poprt that wrote", without_openmp(true)},
      {"unseen_openmp", of_gcc(""),
       "not measured: the program's OpenMP runtime", of_gcc("LLVM")},
      {"openmp_ended", of_gcc("LLVM"), "not known: the program has ended",
       of_gcc("")},
      {"unequal_ends", changed([](JobTotals*, RunContext* context) {
         context->endings = {{"killed", "0-1", 2, 1, 2}};
       }),
       "not known: the run did not come to its end", all},
      {"accelerator", changed([](JobTotals* totals, RunContext*) {
         totals->regions.front().accelerator_sum_ns = 1;
       }),
       "not known: between its two clocks are also the calls to", all},
      {"other_teams", changed([](JobTotals* totals, RunContext*) {
         set_amount(kOpenMpOtherTeams.name, 100,
                    &totals->regions.front().amounts);
       }),
       "threads were at work in parallel regions of others", all},
      {"imported", changed([](JobTotals* totals, RunContext* context) {
         context->imported_from = "TALP 3.5";
         totals->unmeasured_processes = 1;
       }),
       "the file that this run was imported from", all},
      {"not_kept", changed([](JobTotals* totals, RunContext*) {
         totals->regions.front().coow_ns = 0;
       }),
       "not kept: POPRT_PATH=waiting", all},
      {"not_told", changed([](JobTotals* totals, RunContext*) {
         std::erase_if(totals->regions.front().amounts, [](const Amount& each) {
           return each.name == kMpiWaiting.name;
         });
       }),
       "not known: the run file does not tell it", all},
      {"no_posix_io", changed([](JobTotals* totals, RunContext*) {
         totals->has_posix_io = false;
       }),
       "not measured: POPRT_IO=posix", all},
      {"not_counted", without("PAPI"), "not counted: POPRT_COUNTERS=default",
       all},
      {"no_floats", without("fp_"), "not counted, or no such instruction", all},
      {"no_device",
       changed([](JobTotals* totals, RunContext*) { totals->devices.clear(); }),
       "no device has told of its operations", all},
      {"no_such_time", changed([](JobTotals* totals, RunContext*) {
         set_amount(kMpiIo.name, 0, &totals->regions.front().amounts);
       }),
       "0/0: no such time in the region", all},
  };
}

TEST(Reasons, EachIsGivenWhereItIsTrueAndOnlyThere) {
  std::vector<std::string> keys;
  for (const auto& each : reasons()) keys.emplace_back(each.key);
  test::expect_pairs(keys, pairs(), said);
}

}  // namespace
}  // namespace poprt
