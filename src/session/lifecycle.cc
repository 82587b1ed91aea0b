#include "session/lifecycle.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/guard.h"
#include "base/kept_environment.h"
#include "base/launched.h"
#include "base/launchers.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/monotonic.h"
#include "base/mutex.h"
#include "base/no_cancellation.h"
#include "base/no_interruption.h"
#include "base/open_files.h"
#include "base/publish.h"
#include "base/run_word.h"
#include "devices/cuda/cuda.h"
#include "document/shell_word.h"
#include "measure/events.h"
#include "model/noted.h"
#include "modules/modules.h"
#include "session/checkpoint.h"
#include "session/exit_work.h"
#include "session/hand_over.h"
#include "session/job_notes.h"
#include "session/modules_start.h"
#include "session/other_tool.h"
#include "session/output.h"
#include "session/unseen.h"
#include "session/unseen_mpi.h"
#include "session/unseen_openmp.h"

namespace poprt {
namespace {

constexpr char kGlobal[] = "Global";
// Longer than writing a report takes on a working file system.
constexpr int64_t kExitPatienceNs = 10'000'000'000;

struct Facts {
  Mutex mutex;  // protects the start
  // Protected by the mutex.
  RunContext context;
  std::atomic<pid_t> pid{0};
  std::atomic<bool> mpi{false};
  std::atomic<bool> global_open{false};  // written under the mutex
  std::atomic<Transport*> transport{nullptr};
  // Protected by the mutex: an address in the OpenMP runtime, if it has ended,
  // when that was, and, in a program without MPI, what was measured until then.
  const void* ended_openmp = nullptr;
  int64_t openmp_ended_ns = 0;
  std::unique_ptr<JobTotals> until_openmp_ended;
};

Facts& facts() {
  // See measured_process().
  static constinit std::atomic<Facts*> g_facts{nullptr};
  Facts* const known = g_facts.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  return publish(g_facts, new Facts);
}

std::string utc_now() {
  const time_t now = time(nullptr);
  tm parts;
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

RunContext context() {
  const MutexLock lock(facts().mutex);
  return lock.held() ? facts().context : RunContext();
}

// False in a child made by a system call, of which the C library does not know.
bool is_measured_process() { return facts().pid.load() == getpid(); }

// Returns true to one caller only, who then ends measurement.
bool take_end() {
  if (!is_measured_process()) return false;
  Phase phase = Phase::kMeasuring;
  return g_phase.compare_exchange_strong(phase, Phase::kFinished);
}

JobTotals totals_until(int64_t end_ns) {
  // Windows in time may have ended since the last event.
  measured_process().change_window(end_ns);
  JobTotals totals = measured_process().totals(end_ns, host_name());
  totals.programs = {{program_of_process(), 1}};
  return totals;
}

// As of a program whose OpenMP was never measured: what threads of OpenMP do is
// not known, and the process is its primary thread, and those that call MPI.
JobTotals totals_without_openmp(int64_t end_ns) {
  measured_process().forget_openmp();
  JobTotals totals = totals_until(end_ns);
  leave_out_ended_openmp(&totals);
  return totals;
}

// The totals of a program that may have gone on with an OpenMP runtime that
// does not tell of it are without OpenMP, or, where there is nothing else,
// until that runtime ended.  One that was unloaded since is not used any more.
JobTotals known_totals(int64_t end_ns) {
  bool is_lost = false;
  std::unique_ptr<JobTotals> known;
  {
    const MutexLock lock(facts().mutex);
    Dl_info image;
    is_lost = lock.held() && dladdr(facts().ended_openmp, &image) != 0;
    if (is_lost) known = std::move(facts().until_openmp_ended);
  }
  if (!is_lost) return totals_until(end_ns);
  if (known == nullptr) return totals_without_openmp(end_ns);
  note_totals_until_openmp_ended(facts().openmp_ended_ns, end_ns, known.get());
  return std::move(*known);
}

// Other threads may be in an event that began before measurement ended.  One
// that has lost its core gets it while this one sleeps; one that the program
// has taken out of its event is not waited for any longer.
void let_events_end() {
  constexpr int64_t kMostNs = 20'000'000;
  constexpr timespec kMoment = {0, 200'000};
  const auto is_in_event = [] {
    bool found = false;
    measured_process().threads().for_each([&](const Thread& thread) {
      found |= &thread != t_thread && thread.in_event();
    });
    return found;
  };
  const int64_t begin_ns = monotonic_ns();
  while (is_in_event() && monotonic_ns() - begin_ns < kMostNs) {
    nanosleep(&kMoment, nullptr);
  }
}

JobTotals own_totals(int64_t end_ns, int64_t rank) {
  let_events_end();
  JobTotals totals = known_totals(end_ns);
  // Looked for at the end, because a runtime may be loaded at any time.
  complete_own(look_for_unseen(/*so_far=*/true), rank, &totals);
  return totals;
}

// Prints the complaint once for the job.
void explain(const std::string& complaint) {
  if (!is_first_process()) return;
  say(complaint);
  tell_run(RunWord::kExplained);
}

void say_unseen_mpi() {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) return;
  explain(
      "no report: this library has not seen MPI_Init. Preload the "
      "libpoprt.so of the program's MPI (poprt run --mpi=openmpi, "
      "--mpi=mpich or --mpi=abi; libpoprt-omp.so has no MPI); a library that "
      "is loaded "
      "later, a statically linked MPI, or one that the loader binds past the "
      "library (RTLD_DEEPBIND) cannot be measured");
}

// Does work at the end of the run, for which there may be no memory.
template <class Work>
void do_at_end(Work work) {
  const NoInterruption undisturbed;
  open_reserve_for_end();
  const Outcome outcome = outcome_with_room(work);
  if (outcome == Outcome::kDone) return;
  attempt_with_memory(
      [&] { explain(std::string("no report: ") + cause_of(outcome)); });
}

void finish_alone() {
  if (!facts().global_open.load()) return;
  const int64_t end_ns = now_ns();
  if (!take_end()) return;
  count_until(end_ns);
  do_at_end([&] {
    if (in_unseen_mpi()) return say_unseen_mpi();
    JobTotals totals = own_totals(end_ns, 0);
    note_what_is_missing(settings().options, &totals);
    write_report(settings(), context(), std::move(totals));
  });
  remove_checkpoint();
}

// What to do with the pieces in this folder; empty without one.
std::string advice(const std::string& folder) {
  return folder.empty() ? ""
                        : "; what was measured until then: poprt report " +
                              shell_word(folder);
}

// exit() has been called without MPI_Finalize, which may still come: from the
// destructor of a static object or of a library, or from a function that was
// given to atexit() before MPI_Init.
constinit std::atomic<bool> g_exits_unfinished{false};

void at_exit() {
  if (!facts().mpi.load()) return finish_alone();
  if (!measuring() || !is_measured_process()) return;
  last_checkpoint(Ending::kExit, 0);
  g_exits_unfinished.store(true);
}

void explain_unfinished(void*) {
  if (!take_end()) return;
  explain("no report: the program ended without MPI_Finalize" +
          advice(last_checkpoint(Ending::kExit, 0)));
}

void in_child() {
  g_phase.store(Phase::kFinished);
  drop_exit_work();
}

// An OpenMP runtime loads this tool into a scope of its own
// (OMP_TOOL_LIBRARIES), where the program's lookup of the region functions
// (poprt.h) would not find them.
void make_names_visible() {
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&make_names_visible), &here) != 0 &&
      here.dli_fname != nullptr) {
    dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  }
}

void tell_if_never_started() {
  if (g_phase.load() != Phase::kDormant || !is_first_process()) return;
  // What was unloaded since does not count: a shell in front of the program may
  // have loaded and unloaded anything.
  if (!facts().mpi.load() && has_initialized_mpi()) {
    const Options& options = settings().options;
    if (options.text || options.json) return say_unseen_mpi();
  }
  tell_run(RunWord::kNothing);
}

// REQUIRES: the mutex is held.
void open_global() {
  if (facts().global_open.load()) return;
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  measured_process().region_start(thread, kGlobal);
  facts().global_open.store(true);
}

// REQUIRES: the mutex is held.
void prepare() {
  note_file_of(descriptor_named_by(settings().options.output));
  start_clock();
  start_modules();
  facts().context.start_time = utc_now();
  facts().context.clock = clock_name();
  facts().context.windows = settings().options.windows;
  register_thread(ThreadKind::kProgram);
  pthread_atfork(nullptr, nullptr, in_child);
  set_exit_work(at_exit, kExitPatienceNs);
}

// If Global begins here, returns only when it is open, so that no other thread
// opens a region before it.
bool start_once(bool with_global) {
  const NoCancellation whole;
  const MutexLock lock(facts().mutex);
  if (!lock.held()) return false;
  const bool first = g_phase.load() == Phase::kDormant;
  if (first) {
    facts().pid.store(getpid());
    keep_environment();
    reserve_memory();
    if (outcome_with_room([] { prepare(); }) != Outcome::kDone) {
      g_phase.store(Phase::kFinished);
      return false;
    }
  } else if (!measuring()) {
    return false;
  }
  if (with_global) open_global();
  if (!first) return true;
  // MPI may be unloaded before the end: look now.
  if (!facts().mpi.load()) in_unseen_mpi();
  g_phase.store(Phase::kMeasuring);
  if (with_global) start_checkpoints({}, context);
  if (is_first_process()) tell_run(RunWord::kMeasuring);
  return true;
}

}  // namespace

bool start_measurement() { return measuring() || start_once(false); }

bool start_with_region() { return start_once(true); }

bool start_with_openmp(const char* runtime, const void* in_runtime) {
  if (!start_once(true)) return false;
  openmp_tells(in_runtime);
  make_names_visible();
  measured_process().set_has_openmp();
  const MutexLock lock(facts().mutex);
  if (!lock.held()) return true;
  facts().context.openmp_runtime = runtime;
  facts().ended_openmp = nullptr;
  facts().until_openmp_ended.reset();
  return true;
}

bool wants_openmp_devices() {
  keep_environment();
  bool wants = false;
  // Without memory nobody hears of devices.
  static_cast<void>(
      outcome_with_room([&] { wants = settings().options.openmp_devices; }));
  return wants;
}

void devices_starting() {
  keep_environment();
  // Without memory it is started later, or not at all.
  static_cast<void>(outcome_with_room([] {
    if (settings().options.cuda_devices) cuda::start(settings().options);
  }));
}

void openmp_ended(const void* in_runtime) {
  if (!measuring() || !is_measured_process()) return;
  const int64_t end_ns = now_ns();
  std::unique_ptr<JobTotals> totals;
  if (!facts().mpi.load()) {
    const Outcome outcome = outcome_with_room(
        [&] { totals = std::make_unique<JobTotals>(totals_until(end_ns)); });
    if (outcome != Outcome::kDone) {
      measured_process().note(noted<"openmp_ended_no_memory">());
    }
  }
  const MutexLock lock(facts().mutex);
  if (!lock.held()) return;
  facts().ended_openmp = in_runtime;
  facts().openmp_ended_ns = end_ns;
  facts().until_openmp_ended = std::move(totals);
}

void loaded() {
  // While the process ends, glibc initialises a library anew that is looked up.
  static constinit std::atomic<bool> known{false};
  if (known.exchange(true)) return;
  keep_environment();
  note_standard_files();
  hand_over_to_mpi_library();
}

void unloading() {
  tell_if_never_started();
  // Other libraries' destructors may come later, and may call MPI_Finalize.
  // What is registered meanwhile, and belongs to no library, comes after all of
  // them.
  if (g_exits_unfinished.load()) {
    abi::__cxa_atexit(explain_unfinished, nullptr, nullptr);
  }
}

void loaded_without_mpi() {
  note_standard_files();
  // Most processes end here: shells, launchers, and all without the request.
  if (kept_variable("POPRT_THREADS") == nullptr) return;
  // They have threads, and nothing to measure.
  const std::string_view program = program_invocation_short_name;
  if (program == "poprt" || is_launcher(program)) return;
  if (settings().options.all_threads) modules::watch_threads(start_with_region);
}

void give_way_to_tool(const std::string& path) { give_way_to(path); }

void explain_unseen() {
  if (g_phase.load() != Phase::kDormant) return;
  const Options& options = settings().options;
  if (!options.text && !options.json) return;
  if (in_unseen_mpi()) return say_unseen_mpi();
  std::string why = other_tool_note();
  if (why.empty() && has_had_threads()) {
    why = unseen_openmp_note();
    if (why.empty()) why = linked_openmp_note();
  }
  if (!why.empty()) explain("no report: " + why);
}

void mpi_starting() {
  facts().mpi.store(true);
  remove_checkpoint();
}

void mpi_started(const std::string& library, const std::string& thread_level,
                 std::vector<UnwrappedCall> (*unwrapped_calls)(bool)) {
  const MutexLock lock(facts().mutex);
  if (lock.held()) {
    facts().context.mpi_library = library;
    facts().context.mpi_thread_level = thread_level;
  }
  measured_process().set_has_mpi();
  ask_for_unwrapped_calls(unwrapped_calls);
}

void mpi_world_is(int size) {
  const Launched launched = launched_as(kept_variable);
  const std::string note = note_on_jobs_of_one(launched, size);
  if (note.empty()) return;
  measured_process().note(note);
  if (launched.is_first) say(note);
}

void mpi_begun() {
  const MutexLock lock(facts().mutex);
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  measured_process().restart_regions(thread);
  open_global();
}

void mpi_connected(Transport* transport) { facts().transport.store(transport); }

void mpi_job_is(uint64_t job, int rank, int size) {
  if (job != 0) start_checkpoints({job, rank, size}, context);
}

bool reach_job(Transport** transport) {
  *transport = facts().transport.load();
  return *transport != nullptr || (!facts().mpi.load() && !in_unseen_mpi());
}

void mpi_finishing(Thread& thread, Transport& transport) {
  const int64_t end_ns = thread.last_event_ns();
  if (!take_end()) return;
  open_reserve_for_end();
  JobTotals totals;
  const int64_t rank = transport.rank();
  const Outcome outcome = outcome_with_room([&] {
    const NoCancellation whole;
    JobTotals own = own_totals(end_ns, rank);
    totals = std::move(own);
  });
  if (outcome != Outcome::kDone) {
    attempt_with_memory([&] {
      totals.quality.notes.push_back(
          noted<"totals_of_process">(cause_of(outcome)));
    });
  }
  // The other processes wait for this one in any case.
  const bool writes = transport.combine_all(&totals);
  if (!writes) return;
  do_at_end([&] {
    note_what_is_missing(settings().options, &totals);
    write_report(settings(), context(), std::move(totals));
  });
}

void mpi_finished() { remove_checkpoint(); }

bool is_first_process() { return launched_as(kept_variable).is_first; }

void give_up_measurement(const std::string& complaint) {
  if (!take_end()) return;
  remove_checkpoint();
  explain(complaint);
}

void mpi_aborting(int code) {
  if (!take_end()) return;
  const std::string folder = last_checkpoint(Ending::kAbort, code);
  // `poprt run` says it at the end.
  if (!tell_run(RunWord::kAborted) && !folder.empty()) {
    say("the program called MPI_Abort" + advice(folder));
  }
}

}  // namespace poprt
