// MPI sessions: the beginning and the end of a program that does not
// call MPI_Init.
#include "wrappers/calls/sessions.h"

#include "wrappers/pmpi.h"

#if defined(POPRT_HAS_MPI_Session_init)

#include <atomic>

#include "base/mutex.h"
#include "session/lifecycle.h"
#include "wrappers/calls/entry.h"
#include "wrappers/calls/start_end.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/state.h"

namespace poprt::mpi {
namespace {

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
    return give_up_measurement(kNoSession);
  }
  g_has_own_session = true;
  set_tag_bound(kLeastTagBound);
  if (pmpi().Group_from_session_pset(g_own_session, "mpi://WORLD", &j.world) !=
      MPI_SUCCESS) {
    return give_up_measurement(kNoSession);
  }
  if (!set_up()) return;
  mpi_begun();
  // Each session has its own thread level, and later ones may have a higher
  // one.
  j.multiple = true;
  g_active.store(true);
}

template <class Call>
int session_init(Call call) {
  const bool started = start_before_init();
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
    give_up_measurement(
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

}  // namespace

void close_own_session_at_end() {
  const MutexLock lock(g_session_mutex);
  if (lock.held()) close_own_session();
}

}  // namespace poprt::mpi

using poprt::mpi::pmpi;

extern "C" {

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

}  // extern "C"

#else

namespace poprt::mpi {

void close_own_session_at_end() {}

}  // namespace poprt::mpi

#endif
