#include "session/job_notes.h"

#include "document/format.h"
#include "model/job.h"
#include "model/noted.h"

namespace poprt {

void note_what_is_missing(const Options& options, JobTotals* job) {
  std::vector<std::string>& notes = job->quality.notes;
  const std::string& window = options.windows.region;
  if (!window.empty() && job->windows.empty()) {
    notes.push_back(noted<"no_window_region">(window));
  }
  std::vector<std::string> names;
  for (const RegionTotals& region : job->regions) {
    if (region.processes > 0 && region.name != kGlobalRegion) {
      names.push_back(region.name);
    }
  }
  if (!options.regions.selects_all() && names.empty()) {
    notes.push_back(noted<"no_region_selected">());
    return;
  }
  const auto unmatched = options.regions.unmatched(names);
  if (!unmatched.empty()) {
    notes.push_back(noted<"no_region_matches">(some_of(unmatched, 4)));
  }
}

std::string note_on_jobs_of_one(const Launched& launched, int size) {
  return size == 1 && launched.processes > 1
             ? noted<"jobs_of_one">(launched.processes)
             : "";
}

void leave_out_ended_openmp(JobTotals* job) {
  job->has_openmp = false;
  job->has_unseen_openmp = true;
  job->constructs.clear();
  job->construct_sites.clear();
  job->quality.notes.push_back(noted<"openmp_ended">());
}

void note_totals_until_openmp_ended(int64_t ended_ns, int64_t end_ns,
                                    JobTotals* job) {
  job->quality.notes.push_back(
      noted<"openmp_until_ended">(ended_ns / 1'000'000, end_ns / 1'000'000));
}

}  // namespace poprt
