#include "runtime/lifecycle.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cstdlib>
#include <ctime>
#include <mutex>
#include <utility>

#include "runtime/events.h"
#include "runtime/log.h"
#include "runtime/output.h"
#include "runtime/unseen_openmp.h"

namespace poprt::lifecycle {
namespace {

constexpr char kGlobal[] = "Global";

struct Facts {
  RunContext context;
  bool mpi = false;
  bool global_open = false;
};

Facts& facts() {
  static Facts* const f = new Facts;
  return *f;
}

std::mutex g_mutex;  // guards the start; facts() are written by one thread

std::string utc_now() {
  const time_t now = time(nullptr);
  tm parts;
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// True once: whoever gets it ends the measurement.
bool take_end() {
  Phase phase = Phase::kMeasuring;
  return g_phase.compare_exchange_strong(phase, Phase::kFinished);
}

// What one event costs: a stamp and a transition, timed on a thread of a
// process that nobody looks at.
int64_t event_cost_ps() {
  constexpr int kEvents = 4000;
  Process* const scratch = new Process;
  Thread& thread = scratch->add_thread(ThreadKind::kProgram, 0);
  const int64_t begin = now_ns();
  for (int i = 0; i < kEvents; ++i) thread.switch_to(State::kOmp, now_ns());
  const int64_t cost = (now_ns() - begin) * 1000 / kEvents;
  delete scratch;
  return cost;
}

JobTotals own_totals(int64_t end_ns) {
  JobTotals totals = measured_process().totals(end_ns, host_name());
  totals.quality.overhead_ns += totals.quality.events * event_cost_ps() / 1000;
  // Looked for at the end: a runtime may be loaded at any time.
  totals.has_unseen_openmp = has_unseen_openmp();
  if (totals.has_unseen_openmp) {
    totals.quality.notes.push_back(unseen_openmp_note());
  }
  return totals;
}

// A process of an MPI job whose MPI_Init this library has not seen: it has no
// MPI layer, or was loaded after the call, or MPI is linked into the program.
// Its ranks are no programs of their own, and have no reports.
bool in_unseen_mpi() {
  void* const found = dlsym(RTLD_DEFAULT, "PMPI_Initialized");
  if (found == nullptr) return false;
  int initialized = 0;
  reinterpret_cast<int (*)(int*)>(found)(&initialized);
  return initialized != 0;
}

void say_unseen_mpi() {
  if (!is_first_process()) return;
  say("no report: this library has not seen MPI_Init. Preload the "
      "libpoprt.so of the program's MPI (libpoprt-omp.so has no MPI); a "
      "library that is loaded later, or a statically linked MPI, cannot "
      "be measured");
}

void finish_alone() {
  const int64_t end_ns = now_ns();
  if (!facts().global_open || !take_end()) return;
  if (in_unseen_mpi()) return say_unseen_mpi();
  write_report(facts().context, own_totals(end_ns));
}

void at_exit() {
  if (!facts().mpi) {
    finish_alone();
  } else if (take_end() && is_first_process()) {
    say("no report: the program ended without MPI_Finalize");
  }
}

void in_child() { g_phase.store(Phase::kFinished); }

// An OpenMP runtime loads its tool into a scope of its own
// (OMP_TOOL_LIBRARIES), where the program's look-up of the region functions
// (poprt.h) would not find them.
void make_names_visible() {
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&make_names_visible), &here) != 0 &&
      here.dli_fname != nullptr) {
    dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  }
}

void open_global(Thread& thread) {
  if (facts().global_open) return;
  facts().global_open = true;
  thread.book(now_ns());
  measured_process().region_start(thread, kGlobal);
}

}  // namespace

bool start() {
  if (measuring()) return true;
  const std::lock_guard<std::mutex> lock(g_mutex);
  if (g_phase.load() != Phase::kDormant) return measuring();
  time_source::start();
  facts().context.start_time = utc_now();
  facts().context.clock = time_source::name();
  register_thread(ThreadKind::kProgram);
  pthread_atfork(nullptr, nullptr, in_child);
  std::atexit(at_exit);
  g_phase.store(Phase::kMeasuring);
  return true;
}

bool start_with_region() {
  if (!start()) return false;
  open_global(register_thread(ThreadKind::kForeign));
  return true;
}

void openmp_started(const char* runtime) {
  make_names_visible();
  facts().context.openmp_runtime = runtime;
  measured_process().set_has_openmp();
  open_global(register_thread(ThreadKind::kForeign));
}

void never_started() {
  if (g_phase.load() != Phase::kDormant || !has_unseen_openmp() ||
      !report_wanted()) {
    return;
  }
  if (in_unseen_mpi()) return say_unseen_mpi();
  say("no report: " + unseen_openmp_note());
}

void mpi_starting() { facts().mpi = true; }

void mpi_started(const std::string& library, const std::string& thread_level) {
  facts().context.mpi_library = library;
  facts().context.mpi_thread_level = thread_level;
  measured_process().set_has_mpi();
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  measured_process().restart_regions(thread);
  open_global(thread);
}

void mpi_finishing(Thread& thread, Transport& transport) {
  const int64_t end_ns = thread.last_event_ns();
  if (!take_end()) return;
  JobTotals totals = own_totals(end_ns);
  if (transport.combine_all(&totals)) {
    write_report(std::move(facts().context), std::move(totals));
  }
}

bool is_first_process() {
  for (const char* name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* const rank = std::getenv(name)) {
      return rank[0] == '0' && rank[1] == '\0';
    }
  }
  return true;
}

void give_up() { take_end(); }

}  // namespace poprt::lifecycle
