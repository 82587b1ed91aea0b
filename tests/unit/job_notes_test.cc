// Notes on the whole job, each where it is true and where it is not.
#include "session/job_notes.h"

#include <gtest/gtest.h>

#include "model/job.h"
#include "modules/papi/papi_counters.h"
#include "noted.h"

namespace poprt {
namespace {

RegionTotals region(const char* name, int64_t processes) {
  RegionTotals totals;
  totals.name = name;
  totals.processes = processes;
  return totals;
}

std::vector<std::string> notes_on(const Options& options, JobTotals job) {
  note_what_is_missing(options, &job);
  return job.quality.notes;
}

TEST(JobNotes, AWindowOfARegionThatNobodyOpened) {
  Options options;
  JobTotals job;
  EXPECT_NOT_NOTED("no_window_region", notes_on(options, job));
  options.windows.region = "step";
  EXPECT_NOTED("no_window_region", notes_on(options, job));
  job.windows = {region("step 1", 1)};
  EXPECT_NOT_NOTED("no_window_region", notes_on(options, job));
}

TEST(JobNotes, APatternThatSelectsNothing) {
  Options options;
  JobTotals job;
  job.regions = {region(kGlobalRegion, 2), region("solve", 0)};
  EXPECT_NOT_NOTED("no_region_selected", notes_on(options, job));
  ASSERT_TRUE(options.regions.add("include:sovle"));
  EXPECT_NOTED("no_region_selected", notes_on(options, job));
  job.regions[1].processes = 1;
  EXPECT_NOT_NOTED("no_region_selected", notes_on(options, job));
}

TEST(JobNotes, OneOfThePatternsSelectsNothing) {
  Options options;
  JobTotals job;
  job.regions = {region(kGlobalRegion, 2), region("solve", 1),
                 region("setup", 1)};
  ASSERT_TRUE(options.regions.add("s*"));
  ASSERT_TRUE(options.regions.add("exclude:halo"));
  EXPECT_NOT_NOTED("no_region_matches", notes_on(options, job));
  ASSERT_TRUE(options.regions.add("exchagne"));
  EXPECT_NOTED("no_region_matches", notes_on(options, job));
  EXPECT_TRUE(notes_on(options, job).back().ends_with(": exchagne"));
  job.regions = {region(kGlobalRegion, 2)};
  EXPECT_NOT_NOTED("no_region_matches", notes_on(options, job));
}

TEST(JobNotes, ProcessesThatAreJobsOfTheirOwn) {
  const auto note = [](int started, int size) {
    return std::vector{
        note_on_jobs_of_one({.by_launcher = true, .processes = started}, size)};
  };
  EXPECT_NOTED("jobs_of_one", note(2, 1));
  EXPECT_NOT_NOTED("jobs_of_one", note(1, 1));
  EXPECT_NOT_NOTED("jobs_of_one", note(2, 2));
}

TEST(JobNotes, AnOpenMpThatTheProgramEnded) {
  JobTotals with_mpi;
  with_mpi.has_openmp = true;
  leave_out_ended_openmp(&with_mpi);
  EXPECT_NOTED("openmp_ended", with_mpi.quality.notes);
  EXPECT_NOT_NOTED("openmp_until_ended", with_mpi.quality.notes);
  EXPECT_FALSE(with_mpi.has_openmp);
  EXPECT_TRUE(with_mpi.has_unseen_openmp);
  JobTotals alone;
  alone.has_openmp = true;
  note_totals_until_openmp_ended(5'000'000, 9'000'000, &alone);
  EXPECT_NOTED("openmp_until_ended", alone.quality.notes);
  EXPECT_NOT_NOTED("openmp_ended", alone.quality.notes);
  EXPECT_TRUE(alone.quality.notes[0].ends_with("of the first 5 of 9 ms"));
  EXPECT_TRUE(alone.has_openmp);
}

// This program is linked with what stands for PAPI where its header is missing.
TEST(JobNotes, CountersThatThisPoprtWasBuiltWithout) {
  Options options;
  modules::Started started;
  modules::papi::start(options, &started);
  EXPECT_NOT_NOTED("counters_not_built", started.notes);
  options.counters = {"default"};
  modules::papi::start(options, &started);
  EXPECT_NOTED("counters_not_built", started.notes);
}

}  // namespace
}  // namespace poprt
