// The calls that begin and end MPI: alike in nothing, so written by hand.
#include "runtime/lifecycle.h"

#include <mutex>
#include <string>

#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"
#include "wrappers/entry.h"
#include "wrappers/handlers.h"
#include "wrappers/mpi_transport.h"
#include "wrappers/node.h"

namespace poprt::mpi {

std::atomic<bool> g_active{false};

constinit std::atomic<Job*> g_job{nullptr};

Job& new_job() {
  // Its making may be interrupted by a handler that comes here, too.
  Job* const made = new Job;
  Job* known = nullptr;
  if (g_job.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

MpiThread* new_mpi_thread() {
  Thread& thread = register_thread(ThreadKind::kForeign);
  MpiThread* const mpi = new MpiThread(thread);
  thread.mpi = mpi;
  const std::lock_guard<std::mutex> lock(job().mutex);
  job().threads.push_back(mpi);
  return mpi;
}

namespace {

// Every MPI has at least these tags.
constexpr int kLeastTagBound = 32767;

// MPI_Init has been called: measurement ends with MPI_Finalize.
std::atomic<bool> g_world_model{false};

std::string library_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  pmpi().Get_library_version(text, &length);
  // The first line or clause names library and version.
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

// MPI has been initialised: everything that the tool needs of it, but for the
// processes.
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

// MPI_Init has succeeded.
void begin() {
  if (!measuring()) return;
  Job& j = job();
  const MPI_Comm world = pmpi().comm_world;
  int* tag_bound = nullptr;
  int found = 0;
  pmpi().Comm_get_attr(world, MPI_TAG_UB, &tag_bound, &found);
  const bool begun = g_active.load();  // with a session
  bool sessions = begun;
  if (!begun) {
    j.tag_limit = (found != 0 ? *tag_bound : kLeastTagBound) - kOwnTags;
  }
#if POPRT_MPI_VERSION >= 400
  // On some processes sessions may have begun before.
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
    if (j.everybody != nullptr) release_comm(j.everybody);
    j.everybody = all;
    // Messages may be under way on communicators of sessions.
    if (!sessions) set_up_node(*all);
  }
  if (!begun) lifecycle::mpi_begun();
  g_active.store(true);
  lifecycle::mpi_connected(new_transport());
}

// How `poprt run` calls it.
constexpr char kOtherMpi[] =
#if defined(OPEN_MPI)
    "mpich";
#else
    "openmpi";
#endif

// This library is for the other MPI: says so, and leaves MPI to itself.
void decline() {
  lifecycle::give_up(
      std::string("this libpoprt.so is for ") + compiled_for() +
      ", but the program uses another MPI; nothing is measured. Preload "
      "the libpoprt.so of the program's MPI (poprt run --mpi=" +
      kOtherMpi + ")");
  step_aside();
}

// MPI_Pcontrol(1) and (0) open and close the region Pcontrol; other levels
// mean nothing here.
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

std::mutex g_session_mutex;
int g_open_sessions = 0;  // under the mutex
bool g_has_own_session = false;
MPI_Session g_own_session;

// The first session of a program that has not called MPI_Init.  Nothing here is
// collective: other processes may never open one.
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
  // Each session has a level of its own, also later ones.
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
  const std::lock_guard<std::mutex> lock(g_session_mutex);
  ++g_open_sessions;
  if (started && measuring() && !g_active.load()) begin_with_sessions();
  return code;
}

// The last session ends: the report, if there ever was a communicator of all
// processes.
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

// Before the program's last call that finalizes MPI, or MPI stays initialised
// and a launcher takes the end of the process for a crash.  REQUIRES: the
// mutex.
void close_own_session() {
  if (!g_has_own_session || g_open_sessions > 0 || g_active.load()) return;
  g_has_own_session = false;
  pmpi().Session_finalize(&g_own_session);
}

template <class Call>
int session_finalize(Call call) {
  {
    const std::lock_guard<std::mutex> lock(g_session_mutex);
    if (--g_open_sessions == 0 && g_active.load() && !g_world_model.load()) {
      end_with_sessions();
    }
    close_own_session();
  }
  return call();
}

#endif

void end_world() {
  end();
#if POPRT_MPI_VERSION >= 400
  const std::lock_guard<std::mutex> lock(g_session_mutex);
  close_own_session();
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
  // Both libraries ignore the call; further arguments cannot be passed on.
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
