#include "session/job_notes.h"

#include <algorithm>

#include "model/job.h"
#include "model/noted.h"

namespace poprt {

void note_what_is_missing(const Options& options, JobTotals* job) {
  std::vector<std::string>& notes = job->quality.notes;
  const std::string& window = options.windows.region;
  if (!window.empty() && job->windows.empty()) {
    notes.push_back(noted<"no_window_region">(window));
  }
  const bool has_one =
      std::ranges::any_of(job->regions, [](const RegionTotals& region) {
        return region.processes > 0 && region.name != kGlobalRegion;
      });
  if (!options.regions.selects_all() && !has_one) {
    notes.push_back(noted<"no_region_selected">());
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
