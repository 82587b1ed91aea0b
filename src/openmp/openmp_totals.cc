#include "openmp/openmp_totals.h"

#include <algorithm>

#include "model/constructs.h"
#include "model/device_amounts.h"
#include "model/noted.h"
#include "openmp/construct_site_totals.h"
#include "openmp/construct_sites.h"
#include "openmp/construct_totals.h"
#include "openmp/locks.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

// Useful time that belongs to no construct and is not serial: of threads that
// work outside the primary thread's parallel regions.  Added to the construct
// that stands for the rest, so that constructs add up to the region.
void add_rest(const std::vector<RegionTotals>& regions,
              std::vector<ConstructTotals>* constructs) {
  if (constructs->empty()) return;
  for (const RegionTotals& region : regions) {
    if (region.name != "Global") continue;
    int64_t missing_ns = all_constructs_in(region).useful_ns;
    for (const ConstructTotals& construct : *constructs) {
      if (construct.is_task || !construct.region.empty()) continue;
      missing_ns -= construct.useful_ns;
    }
    if (missing_ns == 0) return;
    ConstructTotals rest;
    // The rest is the first one in sorted order, if it exists.
    if (before(rest, constructs->front())) {
      constructs->insert(constructs->begin(), rest);
    }
    constructs->front().useful_ns += missing_ns;
  }
}

// The runtime's own threads execute `target nowait` on the host.
void add_helpers(const std::vector<Thread*>& threads, JobTotals* job) {
  int64_t useful_ns = 0;
  for (const Thread* thread : threads) {
    if (thread->kind() == ThreadKind::kWorker && !thread->member()) {
      useful_ns += thread->useful_ns();
    }
  }
  constexpr int64_t kWorthALineNs = 1'000'000;
  if (useful_ns < kWorthALineNs) return;
  set_amount(kTargetOnHost.name, useful_ns, &job->resources);
  job->quality.notes.push_back(
      noted<"openmp_helpers">(useful_ns / kWorthALineNs));
}

// What is not as exact as the rest in the sources of what parallel regions
// lose.
void note_sources(const std::vector<Thread*>& threads, int64_t now_ns,
                  Quality* quality) {
  int64_t unassigned_ns = 0;
  bool endless_single = false;
  for (const Thread* thread : threads) {
    const OmpThread* const omp = omp_thread(*thread);
    if (omp == nullptr) continue;
    unassigned_ns += omp->unassigned_ns.get();
    endless_single |= omp->endless_single.load();
  }
  const double share = static_cast<double>(unassigned_ns) /
                       static_cast<double>(now_ns) /
                       static_cast<double>(threads.size());
  constexpr double kWorthALine = 0.01;
  if (share > kWorthALine) {
    quality->notes.push_back(
        noted<"openmp_no_sources">(static_cast<int>(100 * share)));
  }
  if (endless_single) {
    quality->notes.push_back(noted<"openmp_singles">());
  }
}

class OpenMpTotals final : public TotalsPart {
 public:
  void add_to(const std::vector<Thread*>& threads, int64_t now_ns,
              JobTotals* job) const override {
    add_helpers(threads, job);
    note_sources(threads, now_ns, &job->quality);
    job->constructs =
        construct_totals(threads, job->threads, now_ns, job->regions);
    add_rest(job->regions, &job->constructs);
    job->construct_sites = construct_site_totals(threads, now_ns, job->regions,
                                                 &job->quality.notes);
    if (!threads.empty() &&
        threads.front()->process().path_choice().constructs) {
      job->path.modules = construct_modules(threads);
    }
  }

  int64_t overhead_ps(const Thread& thread) const override {
    const OmpThread* const omp = omp_thread(thread);
    if (omp == nullptr) return 0;
    const int64_t search_ps = std::max<int64_t>(
        0, omp->lock_searches.usual_ps() - omp->lock_stamps.usual_ps());
    return omp->locks.get() * g_lock_tool_ps.load() +
           omp->lock_searches.count() * kSeldom * search_ps;
  }

  void restart(const std::vector<Thread*>& threads) const override {
    restart_constructs(threads);
    for (const Thread* thread : threads) {
      const OmpThread* const omp = omp_thread(*thread);
      if (omp == nullptr) continue;
      if (ConstructSites* const its = omp->sites.load()) its->forget();
    }
  }
};

constinit const OpenMpTotals g_openmp_totals;

}  // namespace

const TotalsPart& openmp_totals() { return g_openmp_totals; }

}  // namespace poprt
