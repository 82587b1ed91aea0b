// Makes the totals of a process from its threads and regions.
#include "measure/process_totals.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/bounded.h"
#include "base/memory.h"
#include "measure/openmp_losses.h"
#include "measure/process_windows.h"
#include "model/noted.h"

namespace poprt {
namespace {

int64_t parallel_time(const ThreadRegion& region) {
  int64_t sum = 0;
  for (int i = kStates; i < kTimes; ++i) sum += region.time_ns[i];
  return sum;
}

}  // namespace

std::vector<const Thread*> ProcessTotals::members_of(
    const Process& process, const std::vector<Thread*>& threads) {
  std::vector<const Thread*> members;
  const bool forgets = process.forgets_openmp();
  for (const Thread* thread : threads) {
    const bool is_forgotten = forgets && thread != process.primary() &&
                              thread->mpi_ns() == 0 &&
                              thread->layer(EventLayer::kOpenMp) != nullptr;
    if (thread->member() && !is_forgotten) members.push_back(thread);
  }
  return members;
}

ProcessTotals::ProcessTotals(const Process& process, int64_t now_ns,
                             const std::string& host)
    : process_(process),
      now_ns_(now_ns),
      host_(host),
      host_key_(text_hash(host.data(), host.size())),
      threads_(process.threads().all()),
      members_(members_of(process, threads_)) {}

int64_t ProcessTotals::overhead_ns(const Thread& thread) const {
  int64_t ps = 0;
  process_.for_each_part(
      [&](const TotalsPart& part) { ps += part.overhead_ps(thread); });
  return thread.cost.all_ns(thread.events()) + ps / 1000;
}

ProcessTotals::View ProcessTotals::view_of(int slot) const {
  const Region& r = process_.region(slot);
  View view;
  view.name = r.name();
  view.key = r.key();
  const Regions& regions = process_.regions();
  view.in_full_tables = regions.travelling().is_in_full_table(slot) ? 1 : 0;
  view.elapsed_ns = r.elapsed().at(now_ns_);
  if (process_.com_start() == nullptr) {
    const OutsideMpi outside = process_.threads().outside_mpi_at(now_ns_);
    view.com_ns = ComKeeper::com_ns(r, outside);
    view.comp_ns = regions.com().comp_ns(r, outside);
  }
  view.visits = r.visits();
  view.common = regions.common_idle(r);
  for (const Thread* member : members_) {
    view.members.push_back(
        {member, member->settled_region_at(slot, now_ns_), {}});
    View::Member& last = view.members.back();
    for (int i = 0; i < process_.account_count(); ++i) {
      const int64_t amount = member->amount_at(slot, i, now_ns_);
      const std::optional<State> whole = process_.quantities().at(i)->part_of;
      last.amount[i] = whole ? last.region.part_in(*whole, amount) : amount;
    }
  }
  return view;
}

RegionTotals ProcessTotals::region_totals(const View& view) {
  RegionTotals totals;
  totals.name = view.name;
  totals.key = view.key;
  totals.in_full_tables = view.in_full_tables;

  const Thread* const line = process_.primary();
  const int64_t threads = static_cast<int64_t>(view.members.size());
  const int64_t elapsed = view.elapsed_ns;
  int64_t idle_in_parallel = 0;  // on the primary thread's line
  int64_t line_in_parallel = 0;
  int64_t line_omp_outside = 0;
  int64_t line_accelerator = 0;  // outside parallel regions
  int64_t mpi_inside = 0;
  int64_t outside_mpi = elapsed;
  int64_t callers_outside = 0;
  int64_t callers_outside_max = 0;
  for (const View::Member& member : view.members) {
    if (member.thread == line) line_in_parallel = parallel_time(member.region);
  }

  int64_t coow = 0;
  int64_t com = 0;
  int64_t comp = 0;
  for (const View::Member& member : view.members) {
    const ThreadRegion& part = member.region;
    int64_t in_all_states = 0;
    for (const State state : kAllStates) {
      totals.*sum_of(state) += part.all_of(state);
      in_all_states += part.all_of(state);
    }
    closure_error_ns_ = std::max<int64_t>(closure_error_ns_,
                                          std::llabs(in_all_states - elapsed));
    totals.useful_max_ns =
        std::max(totals.useful_max_ns, part.all_of(State::kUseful));
    // A thread may work in a parallel region that is not the primary thread's.
    // Then it may have been busy longer than the primary thread was in parallel
    // regions, or was not idle for all the rest of that time.
    int64_t busy = 0;
    for (const State state : kAllStates) {
      if (!may_wait(state)) busy += part.time_ns[time_index(true, state)];
    }
    idle_in_parallel +=
        bounded<int64_t>(line_in_parallel - busy, 0, part.all_of(State::kOmp));
    mpi_inside += part.mpi_ns(true);
    const int64_t* const clocks = part.clocks.ns;
    totals.pl_cue_ns = std::max(totals.pl_cue_ns, clocks[kProcessCue]);
    totals.cue_ns = std::max(totals.cue_ns, clocks[kGlobalCue]);
    totals.coo_ns = std::max(totals.coo_ns, clocks[kGlobalCoo]);
    totals.all_ns = std::max(totals.all_ns, clocks[kGlobalAll]);
    coow = std::max(coow, clocks[kGlobalCoow]);
    com = std::max(com, clocks[kGlobalCom]);
    comp = std::max(comp, clocks[kGlobalComp]);
    if (member.thread == line) {
      totals.serial_sum_ns = part.time_ns[time_index(false, State::kUseful)];
      outside_mpi -= part.mpi_ns(false);
      line_omp_outside = part.time_ns[time_index(false, State::kOmp)];
      line_accelerator = part.time_ns[time_index(false, State::kAccelerator)];
    }
  }
  if (process_.keeps_coow()) {
    totals.coow_ns = bounded(coow, totals.cue_ns, totals.all_ns);
  }
  totals.com_ns = view.com_ns + com;
  totals.comp_ns = view.comp_ns + comp;
  // Where regions or windows change while threads wait, what follows the one
  // that comes is not told apart exactly: no path is longer than ALL.
  const int64_t least_ns = std::max(totals.cue_ns, outside_mpi);
  totals.comp_ns = std::min(std::max(totals.comp_ns, least_ns), totals.all_ns);
  totals.com_ns = bounded(totals.com_ns, totals.cue_ns, totals.comp_ns);
  totals.amounts = amounts(view);
  MpiParts in_mpi;
  for (const View::Member& member : view.members) {
    in_mpi.add(member.region.all_of(State::kMpi),
               amount_of(member, kMpiWaiting), amount_of(member, kMpiUnknown));
  }
  // Outside parallel regions only the primary thread is one of the model's.
  int64_t off_the_line_ns = amount(totals, kOpenMpOtherTeams);
  for (const View::Member& member : view.members) {
    if (member.thread == line || member.thread->kind() != ThreadKind::kProgram)
      continue;
    off_the_line_ns += member.region.time_ns[time_index(false, State::kUseful)];
  }
  set_amount(kOpenMpOtherTeams.name, off_the_line_ns, &totals.amounts);
  set_amount(kMpiWaiting.name, in_mpi.waiting_ns, &totals.amounts);
  set_amount(kMpiTransfer.name, in_mpi.transfer_ns, &totals.amounts);
  set_amount(kMpiUnknown.name, in_mpi.unknown_ns, &totals.amounts);
  accelerator_parts(view).set_in(&totals);
  // A process that never entered the region has only the clocks it passed on.
  if (view.visits == 0) {
    set_losses({}, &totals);
    return totals;
  }

  // The primary thread, and threads that call MPI themselves: outside parallel
  // regions they are where the primary thread is, unless they are threads of
  // the program's own.
  int64_t outside_both = 0;
  int64_t outside_both_max = 0;
  for (const View::Member& member : view.members) {
    const bool is_line = member.thread == line;
    const int64_t mpi = member.region.mpi_ns(true) +
                        (is_line ? 0 : member.region.mpi_ns(false));
    if (!is_line && mpi == 0) continue;
    const bool follows = member.thread->kind() == ThreadKind::kWorker;
    const int64_t outside = (is_line || follows ? outside_mpi : elapsed) - mpi;
    const auto* const times = member.region.time_ns;
    const int64_t accelerator =
        times[time_index(true, State::kAccelerator)] +
        (is_line || follows ? line_accelerator
                            : times[time_index(false, State::kAccelerator)]);
    const int64_t both = std::max<int64_t>(0, outside - accelerator);
    ++totals.mpi_callers;
    callers_outside += outside;
    callers_outside_max = std::max(callers_outside_max, outside);
    outside_both += both;
    outside_both_max = std::max(outside_both_max, both);
  }
  if (totals.mpi_callers > 0) {
    totals.mpi_callers_outside_sum_ns = callers_outside / totals.mpi_callers;
    outside_both /= totals.mpi_callers;
  }
  totals.mpi_callers_outside_max_ns = callers_outside_max;
  set_amount(kCallersOutsideBoth.name, outside_both, &totals.amounts);
  set_amount(kCallersOutsideBothMax.name, outside_both_max, &totals.amounts);

  totals.processes = 1;
  totals.threads = threads;
  totals.visits = view.visits;
  totals.visits_max = view.visits;
  totals.elapsed_max_ns = elapsed;
  totals.elapsed_weighted_ns = threads * elapsed;
  totals.useful_max_weighted_ns = threads * totals.useful_max_ns;
  totals.serial_weighted_ns = threads * totals.serial_sum_ns;
  totals.openmp_weighted_ns =
      threads * (outside_mpi - totals.serial_sum_ns - line_accelerator);
  totals.outside_mpi_max_ns = outside_mpi;

  const CommonIdle& common = view.common;
  // What was booked, and what each thread of the process loses that is in no
  // team.
  const auto lost = [&](const Quantity& quantity, int lacking) {
    int64_t each_ns = 0;
    for (const View::Member& member : view.members) {
      each_ns += amount_of(member, kLackingQuantities[lacking]);
    }
    return amount(totals, quantity) + threads * each_ns;
  };
  set_losses(
      {mpi_inside, lost(kOpenMpMpiInside, 0), lost(kOpenMpAcceleratorInside, 4),
       lost(kOpenMpSerialised, 1), lost(kOpenMpNotStarted, 3),
       lost(kOpenMpScheduling, 2) + threads * line_omp_outside},
      &totals);
  // No time is idle for all threads if one worked elsewhere.
  const int64_t scheduling =
      bounded<int64_t>(threads * common.idle_ns, 0, idle_in_parallel);
  totals.talp_useful_ns = totals.useful_sum_ns / threads;
  totals.talp_mpi_ns = totals.mpi_sum_ns / threads;
  set_amount(kTalpAccelerator.name, totals.accelerator_sum_ns / threads,
             &totals.amounts);
  totals.talp_omp_scheduling_ns = scheduling / threads;
  totals.talp_omp_load_balance_ns = (idle_in_parallel - scheduling) / threads;
  totals.talp_omp_serial_ns = (totals.omp_sum_ns - idle_in_parallel) / threads;
  totals.talp_mpi_worker_idle_ns =
      (threads - 1) * (elapsed - outside_mpi) / threads;
  totals.talp_not_mpi_max_ns = elapsed - totals.talp_mpi_ns;
  totals.nodes.push_back({host_key_, 1, totals.talp_not_mpi_max_ns, threads,
                          totals.useful_sum_ns, totals.useful_max_weighted_ns,
                          threads * outside_mpi,
                          totals.mpi_callers_outside_sum_ns});
  return totals;
}

// The path of the thread on which it is longest.
LongestPath ProcessTotals::path() const {
  LongestPath its;
  PathNote longest;
  for (const std::string& region : process_.path_choice().without) {
    its.without.push_back({region, 0});
  }
  for (const Thread* member : members_) {
    const PathNote note = member->path_at(now_ns_);
    if (note.all_ns > longest.all_ns) longest = note;
    for (size_t i = 0; i < its.without.size(); ++i) {
      its.without[i].run_ns =
          std::max<int64_t>(its.without[i].run_ns, note.without_ns[i]);
    }
  }
  std::ranges::sort(its.without, {}, &WithoutRegion::region);
  its.length_ns = longest.all_ns;
  for (int i = 0; i < longest.count; ++i) {
    const PathPart& part = longest.parts[i];
    PathShare share{PathShare::kUseful, "", 0, part.rank, part.ns};
    const auto state =
        std::ranges::find(kAllStates, uint64_t{part.what}, path_key);
    if (part.what == kPathOthers) {
      share.what = PathShare::kOthers;
    } else if (state != kAllStates.end()) {
      share.what = entry_of(*state).colour;
    } else {
      share.key = part.what;
    }
    its.parts.push_back(std::move(share));
  }
  return its;
}

JobTotals ProcessTotals::counts() const {
  JobTotals job;
  job.processes = 1;
  job.threads = static_cast<int64_t>(members_.size());
  job.threads_min = job.threads_max = job.threads;
  for (const EventLayer layer : kAllLayers) {
    job.*flag_of(layer) = process_.has_layer(layer);
  }
  job.full_tables = process_.regions().travelling().is_full() ? 1 : 0;
  return job;
}

JobTotals ProcessTotals::of_region(std::string_view region) {
  JobTotals job = counts();
  RoomForName room;
  const std::string_view name = kept_name(region, room);
  const int slot = process_.find_slot(text_hash(name.data(), name.size()));
  if (slot >= 0) job.regions.push_back(region_totals(view_of(slot)));
  return job;
}

JobTotals ProcessTotals::own(Process::Threads state) {
  const bool at_rest = state == Process::Threads::kAtRest;
  JobTotals job = counts();
  job.hosts.push_back({host_, 1});
  job.hosts.back().threads = job.threads;
  Quality quality = process_.misuse();
  process_.texts().copy_to(&job.metadata, &quality.notes);
  if (calls_that_gave_way() > 0) {
    quality.notes.push_back(noted<"calls_left_out">(calls_that_gave_way()));
  }
  if (const int complete = process_.regions().travelling().complete();
      complete < kMaxRegions) {
    quality.notes.push_back(noted<"region_clocks">(complete));
  }
  if (work_given_up() > 0) {
    quality.notes.push_back(noted<"memory_given_up">(work_given_up()));
  }
  if (at_rest) note_counters(&quality);
  quality.lost_clocks = process_.lost_clocks.get();
  quality.lost_lock_clocks =
      process_.lost_lock_clocks.load(std::memory_order_relaxed);
  quality.clock_messages = process_.clock_messages.get();

  if (at_rest && process_.path_choice().followed()) job.path = path();

  for (int slot = 0; slot < process_.region_count(); ++slot) {
    const Region& r = process_.region(slot);
    if (r.key() == 0 || is_live_window(r.key())) continue;
    const View view = view_of(slot);
    job.regions.push_back(region_totals(view));
    add_maxima(view, &job.regions.back());
    if (process_.has_thread_rows()) {
      job.regions.back().thread_rows =
          thread_rows(slot, view, job.regions.back());
    }
    if (at_rest && r.depth() > 0 && r.name() != "Global") {
      ++quality.starts_without_stop;
      quality.notes.push_back(noted<"region_still_open">(r.name()));
    }
  }
  for (const Thread* thread : threads_) {
    quality.events += thread->events();
    const int64_t overhead = overhead_ns(*thread);
    quality.overhead_ns += overhead;
    quality.overhead_max_ns = std::max(quality.overhead_max_ns, overhead);
  }
  if (at_rest && process_.windows() != nullptr) add_windows(&job);
  quality.foreign_threads = process_.threads().foreign_again();
  for (const Thread* thread : threads_) {
    if (thread->kind() != ThreadKind::kForeign || thread->member()) continue;
    ++quality.foreign_threads;
    // Since the start of the process: such a thread is in no region.
    quality.foreign_mpi_ns += thread->mpi_ns();
  }
  std::sort(job.regions.begin(), job.regions.end(),
            [](const RegionTotals& a, const RegionTotals& b) {
              return a.key < b.key;
            });
  quality.closure_error_ns = closure_error_ns_;
  job.quality = std::move(quality);
  return job;
}

void ProcessTotals::add_parts(Process::Threads state, JobTotals* job) const {
  process_.for_each_part([&](const TotalsPart& part) {
    if (state == Process::Threads::kAtRest) {
      part.add_to(threads_, now_ns_, job);
    } else {
      part.add_while_running(threads_, now_ns_, job);
    }
  });
}

JobTotals Process::totals(int64_t now_ns, const std::string& host,
                          Threads state) const {
  const MutexLock lock(mutex_);  // even without the lock
  // A thread that was in an event when measurement ended may end it while it is
  // read: then what was read is of two moments.
  const int most = state == Threads::kAtRest ? 4 : 1;
  for (int attempt = 1;; ++attempt) {
    const uint64_t before = threads_.changes();
    ProcessTotals reading(*this, now_ns, host);
    JobTotals totals = reading.own(state);
    if (attempt < most && threads_.changes() != before) continue;
    reading.add_parts(state, &totals);
    return totals;
  }
}

JobTotals Process::totals_of(std::string_view region, int64_t now_ns,
                             const std::string& host) const {
  const MutexLock lock(mutex_);  // even without the lock
  return ProcessTotals(*this, now_ns, host).of_region(region);
}

}  // namespace poprt
