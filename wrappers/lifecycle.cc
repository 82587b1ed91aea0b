// The calls that begin and end MPI.  They have nothing in common with others,
// so their entries are written by hand.
#include "session/lifecycle.h"

#include <string>

#include "base/mutex.h"
#include "base/publish.h"
#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/entry.h"
#include "wrappers/handlers.h"
#include "wrappers/mpi_transport.h"
#include "wrappers/node.h"

namespace poprt::mpi {

std::atomic<bool> g_active{false};

constinit std::atomic<Job*> g_job{nullptr};

Job& new_job() { return publish(g_job, new Job); }

MpiThread* new_mpi_thread() {
  Thread& thread = register_thread(ThreadKind::kForeign);
  MpiThread* const mpi = new MpiThread(thread);
  mpi->next = job().threads.load();
  while (!job().threads.compare_exchange_weak(mpi->next, mpi)) {
  }
  thread.set_layer(EventLayer::kMpi, mpi);
  return mpi;
}

namespace {

// The MPI standard guarantees tags up to this one.
constexpr int kLeastTagBound = 32767;

// MPI_Init has been called, so measurement ends in MPI_Finalize.  Otherwise it
// ends with the last session.
std::atomic<bool> g_world_model{false};

std::string library_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  pmpi().Get_library_version(text, &length);
  // The library's name and version are the first line, or its part before a
  // comma.
  std::string name(text);
  name = name.substr(0, name.find_first_of(",\n"));
  for (char& c : name) c = c == '\t' ? ' ' : c;
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

const char* name_of_thread_level(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

// Prepares what does not depend on other processes, after MPI has been
// initialised.
bool set_up() {
  int level = MPI_THREAD_SINGLE;
  pmpi().Query_thread(&level);
  job().multiple = level == MPI_THREAD_MULTIPLE;
  if (!set_up_exchange()) {
    lifecycle::give_up(
        "cannot set up messages of its own; nothing is measured");
    return false;
  }
  lifecycle::mpi_started(library_name(), name_of_thread_level(level));
  return true;
}

// After MPI_Init has succeeded.
void begin() {
  if (!measuring()) return;
  Job& j = job();
  const MPI_Comm world = pmpi().comm_world;
  int* tag_bound = nullptr;
  int found = 0;
  pmpi().Comm_get_attr(world, MPI_TAG_UB, &tag_bound, &found);
  const bool begun = g_active.load();  // a session has begun before
  bool sessions = begun;
  if (!begun) {
    j.tag_limit = (found != 0 ? *tag_bound : kLeastTagBound) - kOwnTags;
  }
#if POPRT_MPI_VERSION >= 400
  // Sessions may have begun on some processes only: agree.
  const int mine[2] = {j.tag_limit, sessions ? 0 : 1};
  int least[2] = {mine[0], mine[1]};
  pmpi().Allreduce(mine, least, 2, pmpi().int_type, pmpi().min, world);
  j.tag_limit = least[0];
#endif
  if (!begun) {
    if (!set_up()) return;
    pmpi().Comm_group(world, &j.world);
  }
#if POPRT_MPI_VERSION >= 400
  sessions = least[1] == 0;
#endif
  int size = 1;
  pmpi().Comm_size(world, &size);
  lifecycle::mpi_world_is(size);
  add_comm(world, false);
  if (CommInfo* const all = j.comms.find(key_of(world))) {
    hold_comm(*all);
    if (CommInfo* const before = j.everybody.exchange(all)) {
      release_comm(before);
    }
    // With sessions, messages may already be under way on their communicators.
    if (!sessions) set_up_node(*all);
  }
  if (!begun) lifecycle::mpi_begun();
  g_active.store(true);
  lifecycle::mpi_connected(new_transport());
}

// The value for `poprt run --mpi`.
constexpr char kOtherMpi[] =
#if defined(OPEN_MPI)
    "mpich";
#else
    "openmpi";
#endif

// This library was compiled for another MPI than the program uses: says so, and
// passes all calls on.
void decline() {
  lifecycle::give_up(
      std::string("this libpoprt.so is for ") + compiled_for() +
      ", but the program uses another MPI; nothing is measured. Preload "
      "the libpoprt.so of the program's MPI (poprt run --mpi=" +
      kOtherMpi + ")");
  step_aside();
}

// MPI_Pcontrol(1) opens the region Pcontrol, MPI_Pcontrol(0) closes it; other
// levels are ignored.
void control_region(int level) {
  constexpr char kName[] = "Pcontrol";
  if (!measured_process().selects_region(kName)) return;
  Thread& thread = register_thread(ThreadKind::kForeign);
  thread.book(now_ns());
  if (level == 1) measured_process().region_start(thread, kName);
  if (level == 0) measured_process().region_stop(thread, kName);
}

template <class Call>
int init(Call call) {
  if (!pmpi().matches) {
    lifecycle::start();
    decline();
    return call();
  }
  const bool started = lifecycle::start();
  if (started) lifecycle::mpi_starting();
  const int code = call();
  if (started && code == MPI_SUCCESS) {
    begin();
    g_world_model.store(true);
  }
  return code;
}

void end() {
  if (g_active.exchange(false) && measuring()) {
    Thread& thread = register_thread(ThreadKind::kForeign);
    thread.switch_to(State::kMpi, now_ns());
    finish(thread);
  }
}

#if POPRT_MPI_VERSION >= 400

std::atomic<int> g_open_sessions{0};
// Held while the last session ends, which may take long.  What a call does not
// do that cannot have it is done by the call that has it.
Mutex g_session_mutex;
// Protected by the mutex.
bool g_has_own_session = false;
MPI_Session g_own_session;

// The first session of a program that has not called MPI_Init.  Nothing here
// may be collective, because other processes may never open a session.
void begin_with_sessions() {
  constexpr char kNoSession[] =
      "cannot open an MPI session of its own; nothing is measured";
  Job& j = job();
  if (pmpi().Session_init(pmpi().info_null, pmpi().errors_return,
                          &g_own_session) != MPI_SUCCESS) {
    return lifecycle::give_up(kNoSession);
  }
  g_has_own_session = true;
  j.tag_limit = kLeastTagBound - kOwnTags;
  if (pmpi().Group_from_session_pset(g_own_session, "mpi://WORLD", &j.world) !=
      MPI_SUCCESS) {
    return lifecycle::give_up(kNoSession);
  }
  if (!set_up()) return;
  lifecycle::mpi_begun();
  // Each session has its own thread level, and later ones may have a higher
  // one.
  j.multiple = true;
  g_active.store(true);
}

template <class Call>
int session_init(Call call) {
  if (!pmpi().matches) {
    lifecycle::start();
    decline();
    return call();
  }
  const bool started = lifecycle::start();
  if (started) lifecycle::mpi_starting();
  const int code = call();
  if (code != MPI_SUCCESS) return code;
  ++g_open_sessions;
  const MutexLock lock(g_session_mutex);
  if (lock.held() && started && measuring() && !g_active.load()) {
    begin_with_sessions();
  }
  return code;
}

// At the end of the last session: writes the report, if there has been a
// communicator of all processes.
void end_with_sessions() {
  int size = 1;
  pmpi().Group_size(job().world, &size);
  if (job().everybody != nullptr || size == 1) {
    end();
  } else {
    g_active.store(false);
    lifecycle::give_up(
        "no report: the program has only sessions and never made a "
        "communicator of all processes, so that nothing can be added up");
  }
}

// Closes the tool's own session before the program's last call that finalizes
// MPI.  Otherwise MPI would stay initialised, and a launcher would take the end
// of the process for a crash.  REQUIRES: the mutex is held.
void close_own_session() {
  if (!g_has_own_session || g_open_sessions > 0 || g_active.load()) return;
  g_has_own_session = false;
  pmpi().Session_finalize(&g_own_session);
}

template <class Call>
int session_finalize(Call call) {
  {
    const MutexLock lock(g_session_mutex);
    const bool last = --g_open_sessions == 0;
    if (lock.held()) {
      if (last && g_active.load() && !g_world_model.load()) {
        end_with_sessions();
      }
      close_own_session();
    }
  }
  return call();
}

#endif

void end_world() {
  end();
#if POPRT_MPI_VERSION >= 400
  const MutexLock lock(g_session_mutex);
  if (lock.held()) close_own_session();
#endif
}

}  // namespace
}  // namespace poprt::mpi

using poprt::mpi::pmpi;

extern "C" {

int poprt_MPI_Init(int* argc, char*** argv) {
  return poprt::mpi::init([&] { return pmpi().Init(argc, argv); });
}

int poprt_MPI_Init_thread(int* argc, char*** argv, int required,
                          int* provided) {
  return poprt::mpi::init(
      [&] { return pmpi().Init_thread(argc, argv, required, provided); });
}

int poprt_MPI_Finalize(void) {
  poprt::mpi::end_world();
  return pmpi().Finalize();
}

int poprt_MPI_Abort(MPI_Comm comm, int errorcode) {
  poprt::mpi::g_active.store(false);
  poprt::lifecycle::aborting();
  return pmpi().Abort(comm, errorcode);
}

int poprt_MPI_Pcontrol(const int level, ...) {
  if (poprt::mpi::g_active.load(std::memory_order_relaxed)) {
    poprt::mpi::control_region(level);
  }
  // Neither MPI library does anything in MPI_Pcontrol; variable arguments
  // cannot be passed on.
  return pmpi().Pcontrol(level);
}

#if POPRT_MPI_VERSION >= 400

int poprt_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler,
                           MPI_Session* session) {
  return poprt::mpi::session_init(
      [&] { return pmpi().Session_init(info, errhandler, session); });
}

int poprt_MPI_Session_finalize(MPI_Session* session) {
  return poprt::mpi::session_finalize(
      [&] { return pmpi().Session_finalize(session); });
}

POPRT_MPI_ENTRY(MPI_Session_init);
POPRT_MPI_ENTRY(MPI_Session_finalize);

#endif

POPRT_MPI_ENTRY(MPI_Init);
POPRT_MPI_ENTRY(MPI_Init_thread);
POPRT_MPI_ENTRY(MPI_Finalize);
POPRT_MPI_ENTRY(MPI_Abort);
POPRT_MPI_ENTRY(MPI_Pcontrol);

}  // extern "C"
