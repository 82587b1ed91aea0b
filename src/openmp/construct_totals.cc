#include "openmp/construct_totals.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "code_places/code_address.h"
#include "measure/process.h"
#include "measure/site_table.h"
#include "model/members.h"
#include "openmp/construct_limits.h"
#include "openmp/constructs.h"
#include "openmp/tasking.h"

namespace poprt {
namespace {

// How many a process passes on.  Programs have some dozens; a program with
// thousands spends its time in few of them.
constexpr size_t kMost = 200;
// And of each of the program's regions.
constexpr size_t kMostInRegion = 40;

// Region, module, offset, whether it is a task.
using PlaceInRegion = std::tuple<std::string, std::string, uint64_t, bool>;

// Those of the primary thread; null if it has begun no parallel region.
const RegionSets* region_sets(const std::vector<Thread*>& threads) {
  for (const Thread* thread : threads) {
    const OmpThread* const omp = omp_thread(*thread);
    if (omp != nullptr && omp->regions != nullptr) return omp->regions.get();
  }
  return nullptr;
}

template <class LossOf>
void add_losses(ConstructTotals* totals, LossOf loss_of) {
  totals->mpi_inside_ns += loss_of(kSourceMpi);
  totals->serialised_ns += loss_of(kSourceSerialised);
  totals->all_idle_ns += loss_of(kSourceScheduling);
  totals->not_started_ns += loss_of(kSourceNotStarted);
  totals->accelerator_inside_ns += loss_of(kSourceAccelerator);
}

void add(const Thread& thread, int number, int64_t members, int64_t now_ns,
         ConstructTotals* totals) {
  const OmpThread* const omp = omp_thread(thread);
  if (omp == nullptr) return;
  if (const ConstructAccount* const account = omp->accounts.find(number)) {
    totals->visits += account->visits.get();
    totals->time_ns += account->time_ns.get();
    totals->weighted_ns += members * account->time_ns.get();
    totals->scheduling_ns += members * account->idle_ns.get();
    totals->useful_ns += account->useful_ns.get();
    totals->mpi_ns += account->mpi_ns.get();
    totals->accelerator_ns += account->accelerator_ns.get();
    add_losses(totals, [&](int source) {
      return account->losses_ns[source].get() +
             members * account->lacking_ns[source].get();
    });
  }
  if (!totals->is_task && omp->construct.get() == number) {
    // The thread may work on: the base is read first, so that no difference is
    // below 0.
    const int64_t useful_base_ns = omp->useful_base_ns.get();
    const int64_t mpi_base_ns = omp->mpi_base_ns.get();
    const int64_t accelerator_base_ns = omp->accelerator_base_ns.get();
    std::atomic_thread_fence(std::memory_order_acquire);
    totals->useful_ns +=
        thread.time_in_at(State::kUseful, now_ns) - useful_base_ns;
    totals->mpi_ns += thread.time_in_at(State::kMpi, now_ns) - mpi_base_ns;
    totals->accelerator_ns +=
        thread.time_in_at(State::kAccelerator, now_ns) - accelerator_base_ns;
    // The instance that is still open, if this thread has begun it.
    const int64_t begin_ns = omp->own_root_begin_ns.get();
    if (begin_ns >= 0) {
      const int64_t time_ns = std::max<int64_t>(0, now_ns - begin_ns);
      ++totals->visits;
      totals->time_ns += time_ns;
      totals->weighted_ns += members * time_ns;
    }
  }
  if (omp->losses_construct.get() == number) {
    add_losses(totals, [&](int source) {
      return thread.amount(omp->losses[source]) -
             omp->losses_base_ns[source].get() +
             members * (thread.amount(omp->lacking[source]) -
                        omp->lacking_base_ns[source].get());
    });
  }
}

// Leaves the most costly ones of each region.  Of the whole job, the others are
// added to `rest`; what a region lacks follows from its own totals.
void keep_most_costly(std::vector<ConstructTotals>* all,
                      ConstructTotals (&rest)[2]) {
  const auto cost = [](const ConstructTotals& c) {
    return std::max(c.weighted_ns, c.useful_ns);
  };
  std::sort(all->begin(), all->end(),
            [&](const auto& a, const auto& b) { return cost(a) > cost(b); });
  std::map<std::string, size_t> kept;  // by region
  std::erase_if(*all, [&](const ConstructTotals& c) {
    if (++kept[c.region] <= (c.region.empty() ? kMost : kMostInRegion)) {
      return false;
    }
    if (c.region.empty()) {
      combine_members(kConstructMembers, &rest[c.is_task], c);
    }
    return true;
  });
}

bool is_empty(const ConstructTotals& c) {
  return c.visits == 0 && c.time_ns == 0 && c.useful_ns == 0 && c.mpi_ns == 0 &&
         c.accelerator_ns == 0;
}

}  // namespace

std::vector<ConstructTotals> construct_totals(
    const std::vector<Thread*>& threads, int64_t members, int64_t now_ns,
    const std::vector<RegionTotals>& regions) {
  std::map<PlaceInRegion, ConstructTotals> found;
  ConstructTotals rest[2];  // parallel regions, tasks
  rest[1].is_task = true;
  const RegionSets* const sets = region_sets(threads);
  const std::vector<Construct> constructs = all_constructs();
  for (size_t i = 0; i < constructs.size(); ++i) {
    ConstructTotals totals;
    totals.is_task = constructs[i].kind == ConstructKind::kTask;
    for (const Thread* thread : threads) {
      if (!thread->member()) continue;
      add(*thread, static_cast<int>(i), members, now_ns, &totals);
    }
    if (is_empty(totals)) continue;
    if (!totals.is_task) limit_losses(&totals);
    if (constructs[i].code == nullptr) {
      combine_members(kConstructMembers, &rest[0], totals);
      continue;
    }
    CodeAddress address = code_address(constructs[i].code);
    const auto add_to = [&](const std::string& region) {
      const PlaceInRegion key = {region, address.module, address.offset,
                                 totals.is_task};
      const auto [place, is_new] = found.try_emplace(key);
      ConstructTotals& sum = place->second;
      if (is_new) {
        sum.region = region;
        sum.module = address.module;
        sum.offset = address.offset;
        sum.is_task = totals.is_task;
      }
      combine_members(kConstructMembers, &sum, totals);
    };
    add_to("");
    if (sets == nullptr || totals.is_task) continue;
    const Process& process = sets->thread().process();
    for (int slot = 0; slot < process.region_count(); ++slot) {
      if (!(*sets)[constructs[i].regions][static_cast<size_t>(slot)]) continue;
      const uint64_t region = process.region(slot).key();
      const auto named =
          std::ranges::lower_bound(regions, region, {}, &RegionTotals::key);
      if (region == kGlobalKey || named == regions.end()) continue;
      if (named->key == region) add_to(named->name);
    }
  }
  for (const RegionTotals& region : regions) {
    const std::string name =
        region.key == kGlobalKey ? std::string() : region.name;
    std::vector<ConstructTotals*> inside;
    for (auto& [key, totals] : found) {
      if (totals.region == name && !totals.is_task) inside.push_back(&totals);
    }
    limit_to(region, inside);
  }
  std::vector<ConstructTotals> all;
  for (auto& [key, totals] : found) all.push_back(std::move(totals));
  keep_most_costly(&all, rest);
  for (const ConstructTotals& r : rest) {
    if (!is_empty(r)) all.push_back(r);
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return before(a, b); });
  return all;
}

void restart_constructs(const std::vector<Thread*>& threads) {
  for (const Thread* thread : threads) {
    OmpThread* const omp = omp_thread(*thread);
    if (omp == nullptr) continue;
    omp->accounts.reset();
    if (omp->regions != nullptr) omp->regions->forget();
    omp->useful_base_ns.set(thread->useful_ns());
    omp->mpi_base_ns.set(thread->mpi_ns());
    omp->accelerator_base_ns.set(thread->accelerator_ns());
    for (int i = 0; i < kLossSources; ++i) {
      omp->losses_base_ns[i].set(thread->amount(omp->losses[i]));
      omp->lacking_base_ns[i].set(thread->amount(omp->lacking[i]));
    }
  }
}

}  // namespace poprt
